# MSI Afterburner's .hml: kinds of lines, units told apart from the names, a flag without a unit, a restart in the middle.
exec 2>&1
hml() # NAMES UNIT...
{
    echo "00, $at, Hardware monitoring log v1.6 "; echo "01, $at, NVIDIA GeForce RTX 3070"
    echo "02, $at, $1"; shift
    k=0; for unit; do echo "03, $at, $k                   ,$unit                   ,0.000    ,100.000  ,10  ,  ,"; k=$((k + 1)); done
}
names='GPU temperature     ,GPU usage           ,VID usage           ,Power               ,Power limit         ,CPU usage          '
at='04-11-2024 16:46:33'
{ hml "$names" C % % W '' %
  echo '80, 04-11-2024 16:46:33, 40.000              ,10.000              ,0.000               ,100.000             ,1.000               ,N/A                 '
  echo '80, 04-11-2024 16:46:33, 42.000              ,20.000              ,0.000               ,120.000             ,0.000               ,5.000               '
  hml "$names" C % % W '' %
  echo '80, 04-11-2024 16:46:35, 44.000              ,30.000              ,0.000               ,110.000             ,0.000               ,5.000               '
} > one.hml
gpustat gpus one.hml -q -f csv | cut -d, -f 1-7
gpustat map one.hml
# Two boards number their names; VID usage is no utilisation, and no GPU "1 VID".
{ hml 'GPU1 usage ,GPU1 VID usage ,GPU2 usage ,GPU2 VID usage ' % % % %
  echo '80, 04-11-2024 16:46:33, 10.000 ,1.000 ,30.000 ,1.000 '; echo '80, 04-11-2024 16:46:34, 20.000 ,1.000 ,40.000 ,1.000 '; } > two.hml
gpustat gpus two.hml -q -f csv | cut -d, -f 1-7
