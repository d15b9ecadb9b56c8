# dmon -s ut: no power, and rates in MB/s, which its second line alone says: 50 MB/s are 47.684 MiB/s.
cat > dmon.txt << 'END'
#Date       Time        gpu     sm    mem    enc    dec  rxpci  txpci
#YYYYMMDD   HH:MM:SS    Idx      %      %      %      %   MB/s   MB/s
 20240501   12:00:00      0     37     12      1      2    100     50
 20240501   12:00:01      0     40     12      1      2    200     50
END
gpustat gpus dmon.txt -q -f csv | cut -d, -f 4,7,8,15-
cat > dcgmi.txt << 'END'
# Entity  POWER  PCITX  PCIRX
      ID      W
 GPU 0  100.5  1048576  2097152
 GPU 0  100.5  1048576  2097152
END
gpustat power dcgmi.txt --interval 1s -q --metrics -f csv
