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
        set terminal svg size 900,290 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,290/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*290 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
0 0 1136981.4592994757 1
1 0 11083.973408193378 3
2 0 2110.874780267954 5
3 0 24.708434896856083 2
4 0 0 4
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
END_OF_NUMBERS
$gs1_2 << END_OF_NUMBERS
1136981.4592994757 0 937193.4369184304 1336769.4816805208 
11083.973408193378 1 0 28489.16215948933 
2110.874780267954 2 0 4610.822426293312 
24.708434896856083 3 0 120.27704851037342 
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
0 0 29605.720724617546 8
1 0 20008.725309810852 8
2 0 6691.6709477377535 8
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
END_OF_NUMBERS
$gs2_2 << END_OF_NUMBERS
29605.720724617546 0 13828.783253894928 45382.65819534016 
20008.725309810852 1 6655.833505146489 33361.617114475215 
6691.6709477377535 2 1587.3003311701887 11796.041564305318 
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
set label 'Where the energy went' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Energy while an event runs'
set ytics scale 0 ('Render' 0, 'Tiling' 1, 'Uploading' 2, 'Saving Config' 3, 'TotalRender' 4)
set xrange [0:1926320] noextend
set yrange [4.5:-0.5] noextend
set xtics ('0' 0, '200' 720000, '400' 1440000)
set xlabel 'energy (Wh)'
set label '315.8 Wh' at first 1336769.4816805208, first 0 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '3.1 Wh' at first 28489.16215948933, first 1 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '0.6 Wh' at first 4610.822426293312, first 2 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '0.0069 Wh' at first 120.27704851037342, first 3 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '0.0 Wh' at first 0, first 4 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set grid noytics xtics
plot $gs1_0 using 3:1:2:3:($1-0.36):($1+0.36):4 with boxxyerror lc variable dt 1 fill solid 1 noborder notitle, \
     $gs1_2 using 1:2:3:4 with xerrorbars pt 0 dt 1 lw 4 lc rgb gs_bg notitle, \
     $gs1_2 using 1:2:3:4 with xerrorbars pt 0 dt 1 lw 1.5 lc rgb gs_fg notitle
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
set title 'Energy while idle'
set ytics scale 0 ('between events' 0, 'after the last event' 1, 'before the first event' 2)
set xrange [0:73216.4] noextend
set yrange [2.5:-0.5] noextend
set xtics ('0' 0, '10' 36000, '20' 72000)
set xlabel 'energy (Wh)'
set label '8.22 Wh' at first 45382.65819534016, first 0 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '5.56 Wh' at first 33361.617114475215, first 1 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set label '1.86 Wh' at first 11796.041564305318, first 2 left offset char 0.6,0 noenhanced front textcolor rgb gs_fg
set grid noytics xtics
plot $gs2_0 using 3:1:2:3:($1-0.36):($1+0.36):4 with boxxyerror lc variable dt 1 fill solid 1 noborder notitle, \
     $gs2_2 using 1:2:3:4 with xerrorbars pt 0 dt 1 lw 4 lc rgb gs_bg notitle, \
     $gs2_2 using 1:2:3:4 with xerrorbars pt 0 dt 1 lw 1.5 lc rgb gs_fg notitle
unset multiplot
if (exists('out')) { unset output }
