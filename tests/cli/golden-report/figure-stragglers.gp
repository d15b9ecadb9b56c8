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
gs_colour[5] = gs_dark ? '#f0e442' : '#d55e00'
gs_colour[6] = gs_dark ? '#4f8fd0' : '#56b4e9'
gs_colour[7] = gs_dark ? '#d55e00' : '#b8a800'
gs_colour[8] = gs_dark ? '#c0c8d0' : '#50575e'
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
0 0 76.60291314543497 1
1 0 -7.658515572639014 2
2 0 27.504242209597404 3
3 0 19.914351833599476 3
4 0 2.427262217058021 3
5 0 0.3435221258400802 3
6 0 -1.6161723589178414 3
7 0 -2.933058912960913 3
8 0 -4.353716445783714 3
9 0 -4.53998806225644 3
10 0 -8.50184284464376 3
11 0 -11.349383437063198 3
12 0 -22.49733371614939 3
13 0 -38.81661344172258 3
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
9.92561313922371 0.00043152819340223404 
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
-0.8746516488760792 0.995086546865984 
END_OF_NUMBERS
$gs2_2 << END_OF_NUMBERS
3.40062023244605 0.4623131691196262 
2.403275787516712 0.8257740485217915 
0.27110593296288954 0.9555724729622872 
0.0415566637332665 0.9857519408484698 
-0.19547953573609833 0.9914351888816376 
-0.3530849114233403 0.9988427624944912 
-0.49758765855942855 0.9951457401416501 
-0.5265280516221549 0.9346868538107159 
-0.9314874499462777 0.9958024458195199 
-1.3716851958068488 0.9967180150537887 
-2.55819158460161 0.9033974173535663 
-4.520400153686399 0.9998227319129472 
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
set title 'Cost against the population'
set ytics scale 0 ('38137ad4566…85363000006' 0, '38137ad4566…8536300000B' 1, '38137ad4566…8536300000D' 2, '38137ad4566…85363000001' 3, '38137ad4566…85363000005' 4, '38137ad4566…8536300000A' 5, '38137ad4566…85363000008' 6, '38137ad4566…8536300000C' 7, '38137ad4566…85363000000' 8, '38137ad4566…85363000007' 9, '38137ad4566…85363000002' 10, '38137ad4566…85363000004' 11, '38137ad4566…85363000003' 12, '38137ad4566…85363000009' 13)
set xrange [-104.77062863438404:142.55692833809644] noextend
set yrange [13.5:-0.5] noextend
set xtics ('-100' -100, '0' 0, '100' 100)
set xlabel 'cost (GPU s)'
set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc rgb gs_fg
set label '76.6' at first 76.60291314543497, first 0 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-7.7' at first -7.658515572639014, first 1 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '27.5' at first 27.504242209597404, first 2 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '19.9' at first 19.914351833599476, first 3 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '2.4' at first 2.427262217058021, first 4 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '0.3' at first 0.3435221258400802, first 5 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '-1.6' at first -1.6161723589178414, first 6 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-2.9' at first -2.933058912960913, first 7 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-4.4' at first -4.353716445783714, first 8 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-4.5' at first -4.53998806225644, first 9 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-8.5' at first -8.50184284464376, first 10 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-11.3' at first -11.349383437063198, first 11 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-22.5' at first -22.49733371614939, first 12 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
set label '-38.8' at first -38.81661344172258, first 13 right offset char -0.6,0 noenhanced front textcolor rgb gs_fg
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
set xrange [-4.953780552473702:10.358993538011013] noextend
set yrange [0.00029293:1.71976] noextend
set logscale y
set xtics ('0' 0, '5' 5, '10' 10)
set ytics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1)
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
