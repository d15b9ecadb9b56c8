# Links to a folder above, to one beside, to a file that is there: what they lead to counts once, under its own path.
log()
{
    echo 'timestamp, index, power.draw [W]'
    for k in {10..29}; do echo "2024/05/01 12:00:$k.000, 0, $1.00 W"; done
}
mkdir -p run/a/b outside; log 100 > run/a/smi.csv; log 50 > outside/other.csv
printf 'name,start,stop\nx,2024-05-01T12:00:12Z,2024-05-01T12:00:22Z\n' > run/spans.csv
ln -s .. run/a/up; ln -s ../.. run/a/b/top; ln -s . run/self; ln -s a run/0; ln -s a/smi.csv run/0latest.csv; ln -s a/b/top/a run/zz
gpustat map run -q | grep -E '"file'
gpustat events run --join window --tz UTC -f csv 2>&1 | grep -v intervals | cut -d, -f 1-3,10,15
# A folder that lies elsewhere is searched through its link, once through two; so is a link found there.
ln -s ../outside run/far; ln -s ../outside run/further; ln -s ../run/a outside/back; rm run/a/smi.csv
gpustat map run -q | grep -E '"file'
# So is a file that one link leads to and that lies in a folder to which another one leads.
mkdir -p two/run; ln -s ../../outside/other.csv two/run/1.csv; ln -s ../../outside two/run/2; rm outside/back
gpustat map two/run -q | grep -E '"file|"rows'
