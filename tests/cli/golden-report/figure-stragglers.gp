# Drawn by gpustat. `gnuplot -p FILE` shows it; `gnuplot -e "out='x.svg'" FILE` writes
# .svg, .png or .pdf; theme='dark' before it makes it dark.
set encoding utf8
if (!exists('theme')) { theme = 'light' }
gs_small = ',10'
gs_large = ',11'
gs_title = ',14'
gs_dark = (theme eq 'dark')
gs_fg = gs_dark ? '#e6edf3' : '#1b1f24'
gs_dim = gs_dark ? '#9aa4af' : '#57606a'
gs_grid = gs_dark ? '#39414b' : '#d8dee4'
gs_bg = gs_dark ? '#14171c' : '#ffffff'
gs_second = gs_dark ? '#ff9d5c' : '#c75400'
array gs_colour[8] = [gs_dark ? '#56b4e9' : '#0072b2', '#e69f00', '#009e73', '#cc79a7', \
    gs_dark ? '#f0e442' : '#d55e00', gs_dark ? '#4f8fd0' : '#56b4e9', gs_dark ? '#d55e00' : '#b8a800', \
    gs_dark ? '#c0c8d0' : '#50575e']
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
0 0 70.015 1
1 0 -9.87 2
2 0 22.662 3
3 0 16.7865 3
4 0 -1.69 3
5 0 -2.72 3
6 0 -2.877 3
7 0 -4.92 3
8 0 -5.68 3
9 0 -6.21 3
10 0 -8.3695 3
11 0 -8.4075 3
12 0 -11.363 3
13 0 -34.5895 3
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
8.967900513494452 0.00006751131682047556 
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
-1.1006412043490288 0.8181901362846242 
END_OF_NUMBERS
$gs2_2 << END_OF_NUMBERS
2.8079174797881246 0.04521310327759101 
1.9704488430443146 0.19110970721837917 
-0.1884583217173108 0.4589717362335587 
-0.3309727190869083 0.6646455364609262 
-0.33340634202136954 0.4656531993913342 
-0.5986712418777906 0.635330402702596 
-0.6911489133873516 0.7865879103473994 
-0.7556399211506082 0.8903909401539913 
-0.9824365765263465 0.4771117455674004 
-0.9868971285196482 0.3943940497511341 
-1.2569662456499042 0.8435599153676274 
-4.060217451909665 0.9800016222414213 
END_OF_NUMBERS
set multiplot layout 1,2 title ' ' font gs_title
unset label
unset arrow
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
set key noenhanced textcolor rgb gs_fg samplen 1.5 width 2
unset key
set xrange [*:*] noreverse
set yrange [*:*] noreverse
set cbrange [*:*]
set label 'GPUs against their own population' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'What being slower or faster amounts to'
set ytics scale 0 ('38137ad4566…85363000006' 0, '38137ad4566…8536300000B' 1, '38137ad4566…8536300000D' 2, '38137ad4566…85363000001' 3, '38137ad4566…85363000005' 4, '38137ad4566…8536300000A' 5, '38137ad4566…85363000000' 6, '38137ad4566…85363000008' 7, '38137ad4566…85363000004' 8, '38137ad4566…8536300000C' 9, '38137ad4566…85363000007' 10, '38137ad4566…85363000003' 11, '38137ad4566…85363000002' 12, '38137ad4566…85363000009' 13)
set xrange [-94.3635:129.789] noextend
set yrange [13.5:-0.5] noextend
set xtics ('0' 0, '100' 100)
set xlabel 'cost (GPU s)'
set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg
set label '70.0' at first 70.015, first 0 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-9.9' at first -9.87, first 1 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '22.7' at first 22.662, first 2 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '16.8' at first 16.7865, first 3 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-1.7' at first -1.69, first 4 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-2.7' at first -2.72, first 5 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-2.9' at first -2.877, first 6 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-4.9' at first -4.92, first 7 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-5.7' at first -5.68, first 8 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-6.2' at first -6.21, first 9 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-8.4' at first -8.3695, first 10 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-8.4' at first -8.4075, first 11 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-11.4' at first -11.363, first 12 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-34.6' at first -34.5895, first 13 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set grid noytics xtics
plot $gs1_0 using 3:1:2:3:($1-0.36):($1+0.36):4 with boxxyerror lc variable fill solid 1 noborder notitle
unset label
unset arrow
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
set key noenhanced textcolor rgb gs_fg samplen 1.5 width 2
unset key
set xrange [*:*] noreverse
set yrange [*:*] noreverse
set cbrange [*:*]
set title 'Evidence, stronger further down'
set xrange [-4.451060990871788:9.358744052456576] noextend
set yrange [0.0000418104:1.91671] noextend
set logscale y
set xtics ('0' 0, '5' 5)
set ytics ('0.0001' 0.0001, '0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1)
set xlabel 'slower (%)'
set ylabel 'p'
set key bmargin center horizontal Left reverse spacing 1.4
plot $gs2_0 using 1:2 with points ps 0.8 lt 1 notitle, \
     keyentry with points ps 1 lt 1 title 'slow', \
     $gs2_1 using 1:2 with points ps 0.8 lt 2 notitle, \
     keyentry with points ps 1 lt 2 title 'hot', \
     $gs2_2 using 1:2 with points ps 0.8 lt 3 notitle, \
     keyentry with points ps 1 lt 3 title 'ok'
unset multiplot
if (exists('out')) { unset output }
