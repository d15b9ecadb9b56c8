cat > dmon.log <<'LOG'
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk
# Idx     W     C     C     %     %     %     %   MHz   MHz
    0    27    23     -     0     0     0     0   324   324
    1    26    26     -     0     0     0     0   324   324
    0   140    54     -    97    52     0     0  2505   875
    1     -    54     -    97    52     0     0  2505   875
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk
# Idx     W     C     C     %     %     %     %   MHz   MHz
    0   141    54     -    97    52     0     0  2505   875
    0     -     -
LOG
gpustat power dmon.log --interval 1s
