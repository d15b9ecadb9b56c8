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
        set terminal svg size 900,360 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,360/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*360 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
62.03893442622951 31.139344262295083 7 1
65.61270491803279 36.49180327868852 5 2
62.067622950819676 31.514344262295083 7 1
64.81557377049181 36.36270491803279 5 2
62.190965092402465 31.00205338809035 7 1
65.56352459016394 36.45286885245902 5 2
65.18237704918033 35.93852459016394 5 2
61.75409836065574 31.133196721311474 7 1
65.09426229508196 36.0655737704918 5 2
61.87909836065574 31.354508196721312 7 1
61.674180327868854 30.37295081967213 7 1
65.19672131147541 35.950819672131146 5 2
61.942622950819676 30.887295081967213 7 1
64.62704918032787 35.68032786885246 5 2
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
31.139344262295083 41.2356 7 1
36.49180327868852 46.46138888888889 5 2
31.514344262295083 41.34895 7 1
36.36270491803279 45.142631578947366 5 2
31.00205338809035 40.80275 7 1
36.45286885245902 44.66042105263158 5 2
35.93852459016394 43.39745 5 2
31.133196721311474 41.25785 7 1
36.0655737704918 44.96631578947368 5 2
31.354508196721312 41.02461904761905 7 1
30.37295081967213 41.3881 7 1
35.950819672131146 43.15168421052631 5 2
30.887295081967213 44.651210526315786 7 1
35.68032786885246 45.10136842105263 5 2
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
set label 'Groups of GPUs' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Utilisation'
set xrange [61.556024590163936:65.73086065573771] noextend
set yrange [30.06700819672131:36.92012295081967] noextend
set xtics ('62' 62, '63' 63, '64' 64, '65' 65)
set ytics ('32' 32, '34' 34, '36' 36)
set xlabel 'GPU util (%)'
set ylabel 'mem util (%)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs1_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2'
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
set title 'Memory utilisation and task time'
set xrange [30.18938524590164:36.675368852459016] noextend
set yrange [40.51981805555556:46.85749361111111] noextend
set xtics ('32' 32, '34' 34, '36' 36)
set ytics ('42' 42, '44' 44, '46' 46)
set xlabel 'mem util (%)'
set ylabel 'task (s)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs2_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2'
unset multiplot
if (exists('out')) { unset output }
