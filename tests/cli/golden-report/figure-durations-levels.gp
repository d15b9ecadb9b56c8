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
44871 45077 5.882352941176471 
45077 45284 5.882352941176471 
45284 45490 5.882352941176471 
45490 45697 0 
45697 45903 11.764705882352942 
45903 46110 0 
46110 46316 5.882352941176471 
46316 46523 5.882352941176471 
46523 46729 0 
46729 46936 0 
46936 47142 5.882352941176471 
47142 47349 0 
47349 47555 0 
47555 47762 0 
47762 47968 0 
47968 48175 0 
48175 48381 0 
48381 48588 5.882352941176471 
48588 48794 0 
48794 49001 5.882352941176471 
49001 49208 5.882352941176471 
49208 49414 0 
49414 49621 0 
49621 49827 0 
49827 50034 0 
50034 50240 0 
50240 50447 0 
50447 50653 0 
50653 50860 5.882352941176471 
50860 51066 5.882352941176471 
51066 51273 0 
51273 51479 0 
51479 51686 11.764705882352942 
51686 51892 0 
51892 52099 0 
52099 52305 0 
52305 52512 0 
52512 52718 0 
52718 52925 5.882352941176471 
52925 53132 5.882352941176471 
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
44871 0
45077 5.882352941176471 
45284 11.764705882352942 
45490 17.647058823529413 
45697 17.647058823529413 
45903 29.41176470588235 
46110 29.41176470588235 
46316 35.294117647058826 
46523 41.1764705882353 
46729 41.1764705882353 
46936 41.1764705882353 
47142 47.05882352941177 
47349 47.05882352941177 
47555 47.05882352941177 
47762 47.05882352941177 
47968 47.05882352941177 
48175 47.05882352941177 
48381 47.05882352941177 
48588 52.94117647058823 
48794 52.94117647058823 
49001 58.8235294117647 
49208 64.70588235294117 
49414 64.70588235294117 
49621 64.70588235294117 
49827 64.70588235294117 
50034 64.70588235294117 
50240 64.70588235294117 
50447 64.70588235294117 
50653 64.70588235294117 
50860 70.58823529411765 
51066 76.47058823529412 
51273 76.47058823529412 
51479 76.47058823529412 
51686 88.23529411764706 
51892 88.23529411764706 
52099 88.23529411764706 
52305 88.23529411764706 
52512 88.23529411764706 
52718 88.23529411764706 
52925 94.11764705882354 
53132 100 
END_OF_NUMBERS
$gs2_0 << END_OF_NUMBERS
29493 30324 0.7751937984496124 
30324 31155 0.7751937984496124 
31155 31986 0.7751937984496124 
31986 32817 0.3875968992248062 
32817 33648 0.7751937984496124 
33648 34479 0 
34479 35310 0.7751937984496124 
35310 36142 0.7751937984496124 
36142 36973 2.3255813953488373 
36973 37804 2.7131782945736433 
37804 38635 3.10077519379845 
38635 39466 3.10077519379845 
39466 40297 8.13953488372093 
40297 41128 10.077519379844961 
41128 41959 7.364341085271318 
41959 42791 8.527131782945736 
42791 43622 8.914728682170542 
43622 44453 6.976744186046512 
44453 45284 6.976744186046512 
45284 46115 6.589147286821706 
46115 46946 5.813953488372093 
46946 47777 3.875968992248062 
47777 48608 4.263565891472868 
48608 49440 2.7131782945736433 
49440 50271 1.550387596899225 
50271 51102 0.7751937984496124 
51102 51933 0.3875968992248062 
51933 52764 0 
52764 53595 0 
53595 54426 0 
54426 55257 0 
55257 56089 0 
56089 56920 0 
56920 57751 0 
57751 58582 0 
58582 59413 0 
59413 60244 0 
60244 61075 0.3875968992248062 
61075 61906 0 
61906 62738 0.3875968992248062 
END_OF_NUMBERS
$gs2_1 << END_OF_NUMBERS
29493 0
30324 0.7751937984496124 
31155 1.550387596899225 
31986 2.3255813953488373 
32817 2.7131782945736433 
33648 3.488372093023256 
34479 3.488372093023256 
35310 4.263565891472868 
36142 5.038759689922481 
36973 7.364341085271318 
37804 10.077519379844961 
38635 13.178294573643411 
39466 16.27906976744186 
40297 24.41860465116279 
41128 34.49612403100775 
41959 41.86046511627907 
42791 50.3875968992248 
43622 59.30232558139535 
44453 66.27906976744185 
45284 73.25581395348837 
46115 79.84496124031008 
46946 85.65891472868218 
47777 89.53488372093024 
48608 93.7984496124031 
49440 96.51162790697674 
50271 98.06201550387597 
51102 98.83720930232558 
51933 99.2248062015504 
52764 99.2248062015504 
53595 99.2248062015504 
54426 99.2248062015504 
55257 99.2248062015504 
56089 99.2248062015504 
56920 99.2248062015504 
57751 99.2248062015504 
58582 99.2248062015504 
59413 99.2248062015504 
60244 99.2248062015504 
61075 99.6124031007752 
61906 99.6124031007752 
62738 100 
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
set label 'Distribution of durations' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title 'zoom level 8 (n = 17)'
set xrange [44623.17:53379.83] noextend
set yrange [0:12.588235294117649] noextend
set xtics ('46' 46000, '48' 48000, '50' 50000, '52' 52000)
set ytics ('0' 0, '5' 5, '10' 10)
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
set title 'zoom level 12 (n = 258)'
set xrange [28495.65:63735.35] noextend
set yrange [0:10.782945736434108] noextend
set xtics ('30' 30000, '40' 40000, '50' 50000, '60' 60000)
set ytics ('0' 0, '2' 2, '4' 4, '6' 6, '8' 8, '10' 10)
set xlabel 'duration (s)'
set ylabel 'share of events (%)'
set y2range [0:105] noextend
set border 11
set y2tics ('0 %%' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100) scale 0.5 noenhanced textcolor rgb gs_fg
plot $gs2_0 using (($1+$2)/2):3:1:2:(0):3 with boxxyerror fill solid 1 border rgb gs_bg lt 1 notitle, \
     $gs2_1 using 1:2 axes x1y2 with lines dt 1 lw 2 lc rgb gs_second notitle
unset multiplot
if (exists('out')) { unset output }
