# Tables of nvidia-smi from several nodes, one after the other: GPU 0 at another bus is another GPU.
exec 2>&1
table() # BUS WATTS
{
    echo 'Tue Jul 25 06:41:17 2023'
    echo '| NVIDIA-SMI 515.86.01    Driver Version: 515.86.01    CUDA Version: 11.7     |'
    echo "|   0  NVIDIA GeForce ...  Off  | 00000000:$1:00.0 Off |                  N/A |"
    echo "| 77%   73C    P2   $2W / 350W |   3855MiB / 24576MiB |     70%      Default |"
}
{ echo 'Node 1'; table 1A 272; echo 'Node 2'; table 1B 138; } > nodes.txt
gpustat power nodes.txt
gpustat gpus nodes.txt
{ table 1A 272; table 1A 138; } > node.txt
gpustat power node.txt -q -f csv | cut -d, -f 1-4
