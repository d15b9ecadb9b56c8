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
        set terminal svg size 720,625 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 720/96.0,625/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*720,2*625 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
37054 36440 39696 40261 41272 44908 40270 46247 43844 40296 46605 46993 41249 42079 43374 43372 
40370 39949 41199 43424 41396 42399 45255 44776 40847 40116 45387 41299 42883 41294 44448 39595 
32367 37508 39513 40695 39571 42212 45058 46999 48720 42436 50811 39415 44767 39824 46750 46015 
34771 29633 31905 40479 40335 45002 40733 48034 43716 47889 45967 44710 45636 47355 42419 40752 
41374 39173 36967 30647 35109 43245 48609 62738 47555 45918 45167 47748 41506 48187 45520 46345 
44680 43017 38887 41344 35561 29493 38222 40486 46474 50941 50250 49464 49096 45562 40685 43001 
40333 43537 44175 43498 47366 40123 42779 32992 36658 45304 46614 45607 47211 47971 40516 43050 
41514 42748 42765 42465 46116 46557 48707 41705 43673 39060 43066 42050 46486 44902 44390 48518 
38363 40455 40190 47408 44538 47518 51313 45088 48399 42858 41372 37394 39640 37977 40127 40925 
44359 40603 39040 41215 46580 47913 48737 49457 49861 48046 43161 42757 41139 31846 33507 35458 
40407 40954 43692 44599 47962 42555 40060 49096 46554 46575 48165 42643 45804 42579 37276 30587 
42390 40190 44513 39237 46442 40985 43391 49199 47951 44388 43720 42698 39737 40862 40838 36504 
37046 39623 44767 46729 45385 44395 42038 42861 44302 45201 45353 42757 60616 38730 40696 42257 
37809 38402 43386 43831 44238 41536 39811 40453 47114 46300 43537 40673 43065 43122 44397 39684 
41343 36443 43932 46039 42654 44314 38131 43337 41043 43491 43836 40836 44582 38559 42716 45721 
37702 36797 40159 38456 38790 40958 45726 45501 41492 41814 44632 37021 43136 41644 45406 41005 
END_OF_NUMBERS
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
set label 'Tiles by duration' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title ' '
set colorbox
set rmargin 7
set palette defined (0 '#00224e', 1 '#123570', 2 '#3b496c', 3 '#575d6d', 4 '#707173', 5 '#8a8678', 6 '#a59c74', 7 '#c3b369', 8 '#e1cc55', 9 '#fee838')
set cbrange [29493:62738]
set cbtics ('30' 30000, '35' 35000, '40' 40000, '45' 45000, '50' 50000, '55' 55000, '60' 60000)
set xrange [-0.5:15.5] noextend
set yrange [15.5:-0.5] noextend
set size ratio -1
set xtics ('0' 0, '5' 5, '10' 10, '15' 15)
set ytics ('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10, '12' 12, '14' 14)
set xlabel 'x'
set ylabel 'y'
set cblabel 'duration (s)'
unset grid
set x2range [-0.5:15.5] noextend
set y2range [15.5:-0.5] noextend
plot $gs1_0 matrix using 1:2:3 axes x2y2 with image notitle
if (exists('out')) { unset output }
