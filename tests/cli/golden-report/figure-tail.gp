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
        set terminal svg size 720,372 dynamic noenhanced font 'sans-serif,12' background gs_bg
    } else { if (gs_ext eq '.pdf') {
        set terminal pdfcairo size 720/96.0,372/96.0 noenhanced font 'sans-serif,9' background gs_bg
    } else {
        set terminal pngcairo size 2*720,2*372 noenhanced font 'sans-serif,12' fontscale 2 linewidth 2 pointscale 2 background gs_bg
    } }
    set output gs_out
}
$gs1_0 << END_OF_NUMBERS
1541663678.871 1541663767.497 0 
1541663678.871 1541663768.445 1 
1541663678.871 1541663772.6030002 2 
1541663678.871 1541663773.013 3 
1541663678.871 1541663774.9750001 4 
1541663678.871 1541663778.971 5 
1541663678.871 1541663783.2140002 6 
1541663678.871 1541663795.244 7 
1541663678.871 1541663796.003 8 
1541663678.871 1541663797.9350002 9 
1541663678.871 1541663802.6339998 10 
1541663678.871 1541663807.044 11 
1541663678.871 1541663810.135 12 
1541663678.871 1541663811.81 13 
END_OF_NUMBERS
$gs1_1 << END_OF_NUMBERS
1541663767.497 1541663811.81 0 
1541663768.445 1541663811.81 1 
1541663772.6030002 1541663811.81 2 
1541663773.013 1541663811.81 3 
1541663774.9750001 1541663811.81 4 
1541663778.971 1541663811.81 5 
1541663783.2140002 1541663811.81 6 
1541663795.244 1541663811.81 7 
1541663796.003 1541663811.81 8 
1541663797.9350002 1541663811.81 9 
1541663802.6339998 1541663811.81 10 
1541663807.044 1541663811.81 11 
1541663810.135 1541663811.81 12 
1541663811.81 1541663811.81 13 
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
set label 'The tail: who still worked while the run came to its end' at screen 0.5, screen 1.0 center offset 0,char -0.9 front noenhanced textcolor rgb gs_fg font gs_title
set title ' '
set xrange [1541663674.8828301:1541663815.7981699] noextend
set yrange [-0.6:13.6] noextend
set xtics ('07:55:00' 1541663700, '07:55:30' 1541663730, '07:56:00' 1541663760, '07:56:30' 1541663790)
set ytics scale 0 ('…000004' 0, '…000009' 1, '…00000A' 2, '…000000' 3, '…000008' 4, '…00000C' 5, '…00000D' 6, '…000001' 7, '…000005' 8, '…000006' 9, '…000003' 10, '…000007' 11, '…00000B' 12, '…000002' 13)
set xlabel 'time (UTC, 2018-11-08)'
set yrange [] reverse
set grid noytics xtics
set key bmargin center horizontal Left reverse spacing 1.4 maxrows 1
plot $gs1_0 using 1:3:1:2:($3-0.4):($3+0.4) with boxxyerror fill solid 1 noborder lt 1 notitle, \
     keyentry with boxes fill solid 1 noborder lt 1 title 'working', \
     $gs1_1 using 1:3:1:2:($3-0.4):($3+0.4) with boxxyerror fill solid 1 noborder lt 2 notitle, \
     keyentry with boxes fill solid 1 noborder lt 2 title 'finished'
if (exists('out')) { unset output }
