# Drawn by gpustat. `gnuplot -p FILE` shows it; `gnuplot -e "out='x.svg'" FILE` writes
# .svg, .png or .pdf; theme='dark' before it makes it dark.
set encoding utf8
if (!exists('theme')) { theme = 'light' }
gs_small = ',10'
gs_large = ',11'
gs_title = ',14'
gs_dark = (theme eq 'dark')
array gs_colour[8]
gs_fg = gs_dark ? '#e6edf3' : '#1b1f24'
gs_dim = gs_dark ? '#9aa4af' : '#57606a'
gs_grid = gs_dark ? '#39414b' : '#d8dee4'
gs_bg = gs_dark ? '#14171c' : '#ffffff'
gs_second = gs_dark ? '#ff9d5c' : '#c75400'
gs_colour[1] = gs_dark ? '#56b4e9' : '#0072b2'
gs_colour[2] = gs_dark ? '#e6a000' : '#e69f00'
gs_colour[3] = gs_dark ? '#00a878' : '#009e73'
gs_colour[4] = gs_dark ? '#cd7aa8' : '#cc79a7'
gs_colour[5] = gs_dark ? '#e8692a' : '#d55e00'
gs_colour[6] = gs_dark ? '#4f8fd0' : '#56b4e9'
gs_colour[7] = gs_dark ? '#f0e442' : '#b8a800'
gs_colour[8] = gs_dark ? '#8b949e' : '#50575e'
gs_band = gs_dark ? '#222d3a' : '#e4edf6'
set linetype 1 lc rgb gs_colour[1] pt 7 dt 1 lw 1
set linetype 2 lc rgb gs_colour[2] pt 5 dt (18,4) lw 1
set linetype 3 lc rgb gs_colour[3] pt 9 dt (8,3) lw 1
set linetype 4 lc rgb gs_colour[4] pt 11 dt (3,3) lw 1
set linetype 5 lc rgb gs_colour[5] pt 13 dt (18,4,3,4) lw 1
set linetype 6 lc rgb gs_colour[6] pt 15 dt 1 lw 1
set linetype 7 lc rgb gs_colour[7] pt 6 dt (18,4) lw 1
set linetype 8 lc rgb gs_colour[8] pt 4 dt (8,3) lw 1
set linetype cycle 8
if (exists('out')) {
    gs_ext = strlen(out) > 4 ? out[strlen(out)-3:] : ''
    gs_out = 1 == 1 ? out : out[:strlen(out)-4].'-1'.gs_ext
    if (gs_ext eq '.svg') {
        set terminal svg size 900,448 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,448/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*448 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
0 0 77.51237142665703 5
1 0 -7.716254475969915 2
2 0 27.123598323817088 1
3 0 19.553081785318863 1
4 0 7.849994229659656 1
5 0 0.6367713536668952 1
6 0 -0.9798044925938085 1
7 0 -2.293672367921012 1
8 0 -5.235475595197784 1
9 0 -8.354192881262541 1
10 0 -10.754853410130185 1
11 0 -11.03636663408364 1
12 0 -22.792574316099127 1
13 0 -39.706682536874865 1
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
3.3519799475904666 0.4724699317267252 7 1
-0.2763275337156257 0.9985885638363972 7 1
-2.590893835999575 0.9035536137060971 7 1
0.9273362601917468 0.9374295584103121 7 1
10.055302937200427 0.0004184355992898629 13 5
-0.8811876954724629 0.9952056976847995 5 2
-1.002824619778231 0.9928662608988846 7 1
-0.1186007556213009 0.990288494480427 7 1
-1.3343588241039206 0.9966608579556873 7 1
2.358649173318006 0.8301733872061432 7 1
-0.6066983075131982 0.9366341708912927 7 1
-4.61926539326808 0.9998353818013836 7 1
0.07705903578352213 0.9836130995029942 7 1
-1.2329703598808472 0.9971639614044281 7 1
END_OF_NUMBERS
set multiplot layout 1,2 title ' ' font gs_title
unset label
unset arrow
unset object
unset key
unset title
unset logscale
unset colorbox
unset xlabel
unset ylabel
unset cblabel
unset y2tics
set size noratio
set border 3 lw 1 lc rgb gs_dim
set xtics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set ytics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set cbtics scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set grid xtics ytics back lt 1 lw 0.6 lc rgb gs_grid
set title noenhanced textcolor rgb gs_fg font gs_large
set xlabel noenhanced textcolor rgb gs_fg offset 0,char 0.5
set ylabel noenhanced textcolor rgb gs_fg
set cblabel noenhanced textcolor rgb gs_fg offset char 1.2,0
set rmargin -1
set key noenhanced textcolor rgb gs_fg samplen 1.5 width 0
unset key
set xrange [*:*] noreverse
set yrange [*:*] noreverse
set cbrange [*:*]
set label 'GPUs against their own group' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Cost against the group'
set ytics scale 0 ('…000006' 0, '…00000B' 1, '…00000D' 2, '…000001' 3, '…000005' 4, '…00000A' 5, '…000008' 6, '…00000C' 7, '…000007' 8, '…000000' 9, '…000002' 10, '…000004' 11, '…000003' 12, '…000009' 13)
set xrange [-71.6659:104.906] noextend
set yrange [13.5:-0.5] noextend
set xtics ('-50' -50, '0' 0, '50' 50, '100' 100)
set xlabel 'cost (GPU s)'
set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg
set label '77.5' at first 77.51237142665703, first 0 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-7.7' at first -7.716254475969915, first 1 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '27.1' at first 27.123598323817088, first 2 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '19.6' at first 19.553081785318863, first 3 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '7.8' at first 7.849994229659656, first 4 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '0.6' at first 0.6367713536668952, first 5 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-1.0' at first -0.9798044925938085, first 6 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-2.3' at first -2.293672367921012, first 7 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-5.2' at first -5.235475595197784, first 8 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-8.4' at first -8.354192881262541, first 9 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-10.8' at first -10.754853410130185, first 10 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-11.0' at first -11.03636663408364, first 11 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-22.8' at first -22.792574316099127, first 12 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-39.7' at first -39.706682536874865, first 13 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set grid noytics xtics
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs1_0 using 3:1:2:3:($1-0.36):($1+0.36):4 with boxxyerror lc variable dt 1 fill solid 1 noborder notitle, \
     keyentry with boxes fill solid 1 noborder lt 1 title 'ok', \
     keyentry with boxes fill solid 1 noborder lt 2 title 'hot', \
     keyentry with boxes fill solid 1 noborder lt 5 title 'slow'
unset label
unset arrow
unset object
unset key
unset title
unset logscale
unset colorbox
unset xlabel
unset ylabel
unset cblabel
unset y2tics
set size noratio
set border 3 lw 1 lc rgb gs_dim
set xtics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set ytics nomirror norotate scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set cbtics scale 0.5 noenhanced textcolor rgb gs_fg autofreq
set grid xtics ytics back lt 1 lw 0.6 lc rgb gs_grid
set title noenhanced textcolor rgb gs_fg font gs_large
set xlabel noenhanced textcolor rgb gs_fg offset 0,char 0.5
set ylabel noenhanced textcolor rgb gs_fg
set cblabel noenhanced textcolor rgb gs_fg offset char 1.2,0
set rmargin -1
set key noenhanced textcolor rgb gs_fg samplen 1.5 width 0
unset key
set xrange [*:*] noreverse
set yrange [*:*] noreverse
set cbrange [*:*]
set title 'Evidence, stronger further down'
set xrange [-5.059502443182135:10.495539987114482] noextend
set yrange [0.000283605:1.72349] noextend
set logscale y
set xtics ('-5' -5, '0' 0, '5' 5, '10' 10)
set ytics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1)
set xlabel 'slower (%)'
set ylabel 'p of being as fast as the others'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs2_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'ok', \
     keyentry with points ps 1 lt 2 title 'hot', \
     keyentry with points ps 1 lt 5 title 'slow'
unset multiplot
if (exists('out')) { unset output }
