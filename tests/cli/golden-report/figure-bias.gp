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
        set terminal svg size 900,426 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,426/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*426 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
-0.2 40.28014652014652 0.36800000000000005 
0.8 36.8265934065934 0.36800000000000005 
1.8 42.59956043956044 0.36800000000000005 
2.8000000000000003 39.05428571428571 0.36800000000000005 
3.8000000000000003 42.507838827838825 0.36800000000000005 
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
0.20000000000000007 99.12294469975548 0.36800000000000005 
2.2 42.61468085106383 0.36800000000000005 
3.2 97.5323298845424 0.36800000000000005 
4.2 42.48883615567439 0.36800000000000005 
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
-0.2 0 0.36800000000000005 
0.8 0 0.36800000000000005 
1.8 0 0.36800000000000005 
2.8000000000000003 0 0.36800000000000005 
3.8000000000000003 0 0.36800000000000005 
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
0.20000000000000007 74.66825782339107 0.36800000000000005 
2.2 0 0.36800000000000005 
3.2 72.57521599112013 0.36800000000000005 
4.2 0 0.36800000000000005 
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
set label 'Nearest against window join' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Mean power'
set xrange [-0.6:4.6] noextend
set yrange [0:118.92486000000001] noextend
set xtics rotate by -35 left scale 0 ('Render' 0, 'Saving Config' 1, 'Tiling' 2, 'TotalRender' 3, 'Uploading' 4)
set ytics ('0' 0, '20' 20, '40' 40, '60' 60, '80' 80, '100' 100)
set ylabel 'mean power (W)'
set label '40.28' at first -0.2, first 40.28014652014652 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '36.83' at first 0.8, first 36.8265934065934 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '42.60' at first 1.8, first 42.59956043956044 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '39.05' at first 2.8000000000000003, first 39.05428571428571 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '42.51' at first 3.8000000000000003, first 42.507838827838825 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '99.12' at first 0.20000000000000007, first 99.12294469975548 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '42.61' at first 2.2, first 42.61468085106383 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '97.53' at first 3.2, first 97.5323298845424 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '42.49' at first 4.2, first 42.48883615567439 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs1_0 using 1:2:3 with boxes fill solid 1 noborder lt 1 dt 1 notitle, \
     keyentry with boxes fill solid 1 noborder lt 1 title 'nearest', \
     $gs1_1 using 1:2:3 with boxes fill solid 1 noborder lt 2 dt 1 notitle, \
     keyentry with boxes fill solid 1 noborder lt 2 title 'window'
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
set title 'Mean GPU utilisation'
set xrange [-0.6:4.6] noextend
set yrange [0:89.585172] noextend
set xtics rotate by -35 left scale 0 ('Render' 0, 'Saving Config' 1, 'Tiling' 2, 'TotalRender' 3, 'Uploading' 4)
set ytics ('0' 0, '20' 20, '40' 40, '60' 60, '80' 80)
set ylabel 'mean GPU utilisation (%)'
set label '0.00' at first -0.2, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 0.8, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 1.8, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 2.8000000000000003, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 3.8000000000000003, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '74.67' at first 0.20000000000000007, first 74.66825782339107 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 2.2, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '72.58' at first 3.2, first 72.57521599112013 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set label '0.00' at first 4.2, first 0 rotate by 90 left offset 0,char 0.4 noenhanced front textcolor rgb gs_fg font gs_small
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs2_0 using 1:2:3 with boxes fill solid 1 noborder lt 1 dt 1 notitle, \
     keyentry with boxes fill solid 1 noborder lt 1 title 'nearest', \
     $gs2_1 using 1:2:3 with boxes fill solid 1 noborder lt 2 dt 1 notitle, \
     keyentry with boxes fill solid 1 noborder lt 2 title 'window'
unset multiplot
if (exists('out')) { unset output }
