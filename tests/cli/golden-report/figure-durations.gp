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
        set terminal svg size 900,1020 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 900/96.0,1020/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*900,2*1020 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
28315 28907 0.7246376811594203 
28907 29500 0 
29500 30093 0.7246376811594203 
30093 30686 0 
30686 31278 0.7246376811594203 
31278 31871 0.36231884057971014 
31871 32464 0.7246376811594203 
32464 33057 0 
33057 33649 0 
33649 34242 0.7246376811594203 
34242 34835 0.7246376811594203 
34835 35428 0.7246376811594203 
35428 36021 1.8115942028985508 
36021 36613 1.8115942028985508 
36613 37206 1.4492753623188406 
37206 37799 2.1739130434782608 
37799 38392 2.1739130434782608 
38392 38984 4.7101449275362315 
38984 39577 7.246376811594203 
39577 40170 6.521739130434782 
40170 40763 5.797101449275362 
40763 41356 2.898550724637681 
41356 41948 6.521739130434782 
41948 42541 7.246376811594203 
42541 43134 3.260869565217391 
43134 43727 6.521739130434782 
43727 44319 3.9855072463768115 
44319 44912 6.521739130434782 
44912 45505 3.260869565217391 
45505 46098 5.072463768115942 
46098 46691 2.536231884057971 
46691 47283 3.6231884057971016 
47283 47876 2.898550724637681 
47876 48469 1.8115942028985508 
48469 49062 0.7246376811594203 
49062 49654 0.7246376811594203 
49654 50247 1.8115942028985508 
50247 50840 0.7246376811594203 
50840 51433 0 
51433 52026 0.7246376811594203 
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
28315 0
28907 0.7246376811594203 
29500 0.7246376811594203 
30093 1.4492753623188406 
30686 1.4492753623188406 
31278 2.1739130434782608 
31871 2.536231884057971 
32464 3.260869565217391 
33057 3.260869565217391 
33649 3.260869565217391 
34242 3.9855072463768115 
34835 4.7101449275362315 
35428 5.434782608695652 
36021 7.246376811594203 
36613 9.057971014492754 
37206 10.507246376811594 
37799 12.681159420289855 
38392 14.855072463768115 
38984 19.565217391304348 
39577 26.81159420289855 
40170 33.333333333333336 
40763 39.130434782608695 
41356 42.028985507246375 
41948 48.55072463768116 
42541 55.79710144927536 
43134 59.05797101449275 
43727 65.57971014492753 
44319 69.56521739130434 
44912 76.08695652173913 
45505 79.34782608695652 
46098 84.42028985507247 
46691 86.95652173913044 
47283 90.57971014492753 
47876 93.47826086956522 
48469 95.28985507246377 
49062 96.01449275362319 
49654 96.73913043478261 
50247 98.55072463768116 
50840 99.27536231884058 
51433 99.27536231884058 
52026 100 
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
2 3 56.88405797101449 
3 4 43.11594202898551 
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
2 0
3 56.88405797101449 
4 100 
END_OF_NUMBERS
$gs3_0 << END_OF_NUMBERS
872 877 1.8115942028985508 
877 882 1.0869565217391304 
882 887 1.8115942028985508 
887 892 2.898550724637681 
892 897 1.4492753623188406 
897 902 1.8115942028985508 
902 908 2.898550724637681 
908 913 0.36231884057971014 
913 918 1.8115942028985508 
918 923 4.3478260869565215 
923 928 3.6231884057971016 
928 933 1.8115942028985508 
933 938 3.6231884057971016 
938 944 4.3478260869565215 
944 949 2.898550724637681 
949 954 2.536231884057971 
954 959 3.9855072463768115 
959 964 2.898550724637681 
964 969 6.521739130434782 
969 975 3.9855072463768115 
975 980 3.6231884057971016 
980 985 3.9855072463768115 
985 990 1.0869565217391304 
990 995 3.260869565217391 
995 1000 3.6231884057971016 
1000 1005 4.7101449275362315 
1005 1011 3.9855072463768115 
1011 1016 1.0869565217391304 
1016 1021 3.260869565217391 
1021 1026 1.8115942028985508 
1026 1031 1.0869565217391304 
1031 1036 1.8115942028985508 
1036 1041 2.1739130434782608 
1041 1047 1.8115942028985508 
1047 1052 0.7246376811594203 
1052 1057 1.4492753623188406 
1057 1062 0.36231884057971014 
1062 1067 0.36231884057971014 
1067 1072 2.1739130434782608 
1072 1078 1.0869565217391304 
END_OF_NUMBERS
$gs3_1 << END_OF_NUMBERS
872 0
877 1.8115942028985508 
882 2.898550724637681 
887 4.7101449275362315 
892 7.608695652173913 
897 9.057971014492754 
902 10.869565217391305 
908 13.768115942028986 
913 14.130434782608695 
918 15.942028985507246 
923 20.28985507246377 
928 23.91304347826087 
933 25.72463768115942 
938 29.347826086956523 
944 33.69565217391305 
949 36.594202898550726 
954 39.130434782608695 
959 43.11594202898551 
964 46.01449275362319 
969 52.53623188405797 
975 56.52173913043478 
980 60.14492753623188 
985 64.1304347826087 
990 65.21739130434783 
995 68.47826086956522 
1000 72.10144927536231 
1005 76.81159420289855 
1011 80.79710144927536 
1016 81.8840579710145 
1021 85.14492753623189 
1026 86.95652173913044 
1031 88.04347826086956 
1036 89.85507246376811 
1041 92.02898550724638 
1047 93.84057971014492 
1052 94.56521739130434 
1057 96.01449275362319 
1062 96.3768115942029 
1067 96.73913043478261 
1072 98.91304347826087 
1078 100 
END_OF_NUMBERS
$gs4_0 << END_OF_NUMBERS
29493 30324 0.7246376811594203 
30324 31155 0.7246376811594203 
31155 31986 0.7246376811594203 
31986 32817 0.36231884057971014 
32817 33648 0.7246376811594203 
33648 34479 0 
34479 35310 0.7246376811594203 
35310 36142 0.7246376811594203 
36142 36973 2.1739130434782608 
36973 37804 2.536231884057971 
37804 38635 2.898550724637681 
38635 39466 2.898550724637681 
39466 40297 7.608695652173913 
40297 41128 9.420289855072463 
41128 41959 6.884057971014493 
41959 42791 7.971014492753623 
42791 43622 8.333333333333334 
43622 44453 6.521739130434782 
44453 45284 7.246376811594203 
45284 46115 7.246376811594203 
46115 46946 6.159420289855072 
46946 47777 3.9855072463768115 
47777 48608 4.3478260869565215 
48608 49440 3.260869565217391 
49440 50271 1.4492753623188406 
50271 51102 1.8115942028985508 
51102 51933 1.0869565217391304 
51933 52764 0.36231884057971014 
52764 53595 0.36231884057971014 
53595 54426 0 
54426 55257 0 
55257 56089 0 
56089 56920 0 
56920 57751 0 
57751 58582 0 
58582 59413 0 
59413 60244 0 
60244 61075 0.36231884057971014 
61075 61906 0 
61906 62738 0.36231884057971014 
END_OF_NUMBERS
$gs4_1 << END_OF_NUMBERS
29493 0
30324 0.7246376811594203 
31155 1.4492753623188406 
31986 2.1739130434782608 
32817 2.536231884057971 
33648 3.260869565217391 
34479 3.260869565217391 
35310 3.9855072463768115 
36142 4.7101449275362315 
36973 6.884057971014493 
37804 9.420289855072463 
38635 12.318840579710145 
39466 15.217391304347826 
40297 22.82608695652174 
41128 32.2463768115942 
41959 39.130434782608695 
42791 47.10144927536232 
43622 55.43478260869565 
44453 61.95652173913044 
45284 69.20289855072464 
46115 76.44927536231884 
46946 82.6086956521739 
47777 86.59420289855072 
48608 90.94202898550725 
49440 94.20289855072464 
50271 95.65217391304348 
51102 97.46376811594203 
51933 98.55072463768116 
52764 98.91304347826087 
53595 99.27536231884058 
54426 99.27536231884058 
55257 99.27536231884058 
56089 99.27536231884058 
56920 99.27536231884058 
57751 99.27536231884058 
58582 99.27536231884058 
59413 99.27536231884058 
60244 99.27536231884058 
61075 99.6376811594203 
61906 99.6376811594203 
62738 100 
END_OF_NUMBERS
$gs5_0 << END_OF_NUMBERS
893 966 11.956521739130435 
966 1045 45.65217391304348 
1045 1131 31.159420289855074 
1131 1224 10.507246376811594 
1224 1325 0 
1325 1434 0 
1434 1552 0 
1552 1680 0 
1680 1818 0 
1818 1967 0 
1967 2129 0 
2129 2304 0 
2304 2494 0 
2494 2699 0 
2699 2921 0 
2921 3161 0 
3161 3421 0 
3421 3702 0 
3702 4007 0 
4007 4336 0 
4336 4693 0 
4693 5079 0 
5079 5496 0 
5496 5948 0 
5948 6437 0 
6437 6967 0 
6967 7539 0 
7539 8159 0 
8159 8830 0 
8830 9556 0 
9556 10342 0 
10342 11192 0 
11192 12113 0 
12113 13108 0 
13108 14186 0 
14186 15353 0 
15353 16615 0 
16615 17981 0.36231884057971014 
17981 19460 0 
19460 21060 0.36231884057971014 
END_OF_NUMBERS
$gs5_1 << END_OF_NUMBERS
893 0
966 11.956521739130435 
1045 57.608695652173914 
1131 88.76811594202898 
1224 99.27536231884058 
1325 99.27536231884058 
1434 99.27536231884058 
1552 99.27536231884058 
1680 99.27536231884058 
1818 99.27536231884058 
1967 99.27536231884058 
2129 99.27536231884058 
2304 99.27536231884058 
2494 99.27536231884058 
2699 99.27536231884058 
2921 99.27536231884058 
3161 99.27536231884058 
3421 99.27536231884058 
3702 99.27536231884058 
4007 99.27536231884058 
4336 99.27536231884058 
4693 99.27536231884058 
5079 99.27536231884058 
5496 99.27536231884058 
5948 99.27536231884058 
6437 99.27536231884058 
6967 99.27536231884058 
7539 99.27536231884058 
8159 99.27536231884058 
8830 99.27536231884058 
9556 99.27536231884058 
10342 99.27536231884058 
11192 99.27536231884058 
12113 99.27536231884058 
13108 99.27536231884058 
14186 99.27536231884058 
15353 99.27536231884058 
16615 99.27536231884058 
17981 99.6376811594203 
19460 99.6376811594203 
21060 100 
END_OF_NUMBERS
set multiplot layout 3,2 title ' ' font gs_title
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
set label 'Distribution of durations' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'Render (n = 276)'
set xrange [27603.67:52737.33] noextend
set yrange [0:7.753623188405797] noextend
set xtics ('30' 30000, '40' 40000, '50' 50000)
set ytics ('0' 0, '2' 2, '4' 4, '6' 6)
set xlabel 'duration (s)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs1_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs1_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
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
set title 'Saving Config (n = 276)'
set xrange [1.94:4.06] noextend
set yrange [0:60.86594202898551] noextend
set xtics ('2.0' 2, '2.5' 2.5, '3.0' 3, '3.5' 3.5, '4.0' 4)
set ytics ('0' 0, '20' 20, '40' 40, '60' 60)
set xlabel 'duration (ms)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs2_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs2_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
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
set title 'Tiling (n = 276)'
set xrange [865.82:1084.18] noextend
set yrange [0:6.978260869565217] noextend
set xtics ('0.90' 900, '0.95' 950.0000000000001, '1.00' 1000, '1.05' 1050)
set ytics ('0' 0, '2' 2, '4' 4, '6' 6)
set xlabel 'duration (s)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs3_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs3_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
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
set title 'TotalRender (n = 276)'
set xrange [28495.65:63735.35] noextend
set yrange [0:10.079710144927535] noextend
set xtics ('30' 30000, '40' 40000, '50' 50000, '60' 60000)
set ytics ('0' 0, '5' 5, '10' 10)
set xlabel 'duration (s)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs4_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs4_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
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
set title 'Uploading (n = 276)'
set xrange [812.219:23154.6] noextend
set logscale x
set yrange [0:48.84782608695652] noextend
set xtics ('1' 1000, '2' 2000, '5' 5000, '10' 10000, '20' 20000)
set ytics ('0' 0, '10' 10, '20' 20, '30' 30, '40' 40)
set xlabel 'duration (s)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs5_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs5_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
unset multiplot
if (exists('out')) { unset output }
