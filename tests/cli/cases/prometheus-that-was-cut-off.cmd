# An answer of Prometheus that was fetched in part lacks series: it is refused, as a torn archive is.
printf '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","Hostname":"n1","gpu":"0"},"values":[[1714564800,"300"],[1714564860,"300"]]},{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","Hostname":"n1","gpu":"1"},"values":[[1714564800,"3' > cut.json
gpustat gpus cut.json
