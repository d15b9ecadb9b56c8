# In a long table the column that tells metrics apart names no card, whatever it is called.
cat > smi.prom <<'EOF'
rocm_average_socket_power_watts{card="0"} 35.0
rocm_average_socket_power_watts{card="1"} 36.0
rocm_temperature_celsius{card="0",location="edge"} 54.0
rocm_temperature_celsius{card="1",location="edge"} 40.0
EOF
gpustat power smi.prom -f csv 2>&1 | cut -d, -f1-3,5
