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
        set terminal svg size 900,690 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,690/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*690 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
86.80697341513293 41.45766666666667 7 1
81.85655737704919 46.46138888888889 5 2
92.81670756646217 41.34895 7 1
93.7478118609407 45.142631578947366 5 2
83.5247227926078 40.80275 7 1
93.05887295081968 44.66042105263158 5 2
96.02071721311475 43.39745 5 2
86.71571721311476 41.25785 7 1
92.56399590163934 44.8873 5 2
90.41844262295082 41.10068181818182 7 1
86.68293032786885 41.3881 7 1
89.33514344262295 43.15168421052631 5 2
87.0551024590164 44.651210526315786 7 1
93.01513292433538 45.10136842105263 5 2
END_OF_NUMBERS
$gs1_2 << END_OF_NUMBERS
83.5247227926078 41.76290280976143 
92.81670756646217 41.6574336806032 
END_OF_NUMBERS
$gs1_3 << END_OF_NUMBERS
81.85655737704919 45.99936654578062 
96.02071721311475 44.04424459321718 
END_OF_NUMBERS
$gs1_4 << END_OF_NUMBERS
81.43163258196722 42.50955420424532 
96.44564200819671 43.78861845547945 
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
39.32310838445808 41.45766666666667 7 1
37.78688524590164 46.46138888888889 5 2
41.625766871165645 41.34895 7 1
41.83231083844581 45.142631578947366 5 2
38.609856262833674 40.80275 7 1
42.084016393442624 44.66042105263158 5 2
75.91598360655738 43.39745 5 2
39.36680327868852 41.25785 7 1
40.91393442622951 44.8873 5 2
41.174180327868854 41.10068181818182 7 1
41.77459016393443 41.3881 7 1
40.17827868852459 43.15168421052631 5 2
41.334016393442624 44.651210526315786 7 1
41.04498977505112 45.10136842105263 5 2
END_OF_NUMBERS
$gs2_2 << END_OF_NUMBERS
38.609856262833674 41.040257842500715 
41.77459016393443 42.19600926768017 
END_OF_NUMBERS
$gs2_3 << END_OF_NUMBERS
37.78688524590164 45.04515151864063 
75.91598360655738 43.31026147953433 
END_OF_NUMBERS
$gs2_4 << END_OF_NUMBERS
36.64301229508197 43.15208474427119 
77.05985655737705 43.45770342088786 
END_OF_NUMBERS
$gs3_0 << END_OF_NUMBERS
62.102249488752555 41.45766666666667 7 1
65.61270491803279 46.46138888888889 5 2
61.940695296523515 41.34895 7 1
64.68302658486708 45.142631578947366 5 2
62.190965092402465 40.80275 7 1
65.56352459016394 44.66042105263158 5 2
65.18237704918033 43.39745 5 2
61.75409836065574 41.25785 7 1
65.09426229508196 44.8873 5 2
61.87909836065574 41.10068181818182 7 1
61.674180327868854 41.3881 7 1
65.19672131147541 43.15168421052631 5 2
61.942622950819676 44.651210526315786 7 1
64.67689161554192 45.10136842105263 5 2
END_OF_NUMBERS
$gs3_2 << END_OF_NUMBERS
61.674180327868854 41.78434524455577 
62.190965092402465 41.64283575546382 
END_OF_NUMBERS
$gs3_3 << END_OF_NUMBERS
64.67689161554192 44.53091543151693 
65.61270491803279 44.84154121622375 
END_OF_NUMBERS
$gs3_4 << END_OF_NUMBERS
61.556024590163936 41.412184370579425 
65.73086065573771 45.18470978371337 
END_OF_NUMBERS
$gs4_0 << END_OF_NUMBERS
31.165644171779142 41.45766666666667 7 1
36.49180327868852 46.46138888888889 5 2
31.449897750511248 41.34895 7 1
36.28834355828221 45.142631578947366 5 2
31.00205338809035 40.80275 7 1
36.45286885245902 44.66042105263158 5 2
35.93852459016394 43.39745 5 2
31.133196721311474 41.25785 7 1
36.0655737704918 44.8873 5 2
31.354508196721312 41.10068181818182 7 1
30.37295081967213 41.3881 7 1
35.950819672131146 43.15168421052631 5 2
30.887295081967213 44.651210526315786 7 1
35.70552147239264 45.10136842105263 5 2
END_OF_NUMBERS
$gs4_2 << END_OF_NUMBERS
30.37295081967213 42.26396584372387 
31.449897750511248 41.394109709374256 
END_OF_NUMBERS
$gs4_3 << END_OF_NUMBERS
35.70552147239264 43.831781950762 
36.49180327868852 45.423015526524125 
END_OF_NUMBERS
$gs4_4 << END_OF_NUMBERS
30.18938524590164 41.22220364644652 
36.675368852459016 44.99581646216184 
END_OF_NUMBERS
set multiplot layout 2,2 title ' ' font gs_title
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
set label 'Task time of each GPU against its power, temperature and utilisation' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Power'."\n".'r = 0.185 [-0.383, 0.652], slope 0.0852 s/W, n = 14'
set xrange [81.43163258196722:96.44564200819671] noextend
set yrange [40.51981805555556:46.85749361111111] noextend
set xtics ('85' 85, '90' 90, '95' 95)
set ytics ('42' 42, '44' 44, '46' 46)
set xlabel 'mean power (W)'
set ylabel 'mean task time (s)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs1_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2', \
     $gs1_2 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs1_2 using 1:2 with lines lt 1 dt 1 lw 2 notitle, \
     $gs1_3 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs1_3 using 1:2 with lines lt 2 dt 1 lw 2 notitle, \
     $gs1_4 using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle
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
set title 'Temperature'."\n".'r = 0.037 [-0.503, 0.557], slope 0.0076 s/°C'
set xrange [36.64301229508197:77.05985655737705] noextend
set yrange [40.51981805555556:46.85749361111111] noextend
set xtics ('40' 40, '50' 50, '60' 60, '70' 70)
set ytics ('42' 42, '44' 44, '46' 46)
set xlabel 'mean temperature (°C)'
set ylabel 'mean task time (s)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs2_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2', \
     $gs2_2 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs2_2 using 1:2 with lines lt 1 dt 1 lw 2 notitle, \
     $gs2_3 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs2_3 using 1:2 with lines lt 2 dt 1 lw 2 notitle, \
     $gs2_4 using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle
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
set title 'GPU utilisation'."\n".'r = 0.790 [0.446, 0.930], slope 0.9036 s/%, n = 14'
set xrange [61.556024590163936:65.73086065573771] noextend
set yrange [40.51981805555556:46.85749361111111] noextend
set xtics ('62' 62, '63' 63, '64' 64, '65' 65)
set ytics ('42' 42, '44' 44, '46' 46)
set xlabel 'mean GPU utilisation (%)'
set ylabel 'mean task time (s)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs3_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2', \
     $gs3_2 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs3_2 using 1:2 with lines lt 1 dt 1 lw 2 notitle, \
     $gs3_3 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs3_3 using 1:2 with lines lt 2 dt 1 lw 2 notitle, \
     $gs3_4 using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle
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
set title 'Memory utilisation'."\n".'r = 0.796 [0.460, 0.933], slope 0.5818 s/%, n = 14'
set xrange [30.18938524590164:36.675368852459016] noextend
set yrange [40.51981805555556:46.85749361111111] noextend
set xtics ('32' 32, '34' 34, '36' 36)
set ytics ('42' 42, '44' 44, '46' 46)
set xlabel 'mean memory utilisation (%)'
set ylabel 'mean task time (s)'
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs4_0 using 1:2:3:4 with points ps 0.8 pt variable lc variable notitle, \
     keyentry with points ps 1 lt 1 title 'group 1', \
     keyentry with points ps 1 lt 2 title 'group 2', \
     $gs4_2 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs4_2 using 1:2 with lines lt 1 dt 1 lw 2 notitle, \
     $gs4_3 using 1:2 with lines dt 1 lw 3 lc rgb gs_bg notitle, \
     $gs4_3 using 1:2 with lines lt 2 dt 1 lw 2 notitle, \
     $gs4_4 using 1:2 with lines dt 2 lw 1.5 lc rgb gs_dim notitle
unset multiplot
if (exists('out')) { unset output }
