# Draws work_precision.svg and .png from work_precision.dat: run gnuplot on this file in its folder.
reset
set encoding utf8
label_1 = 'ours, stopped at the accuracy asked for'
label_2 = 'ours, iterated to round-off'
label_3 = 'Boost.Odeint'
label_4 = 'SUNDIALS'
label_5 = 'MuJoCo'
label_6 = 'Simbody'
label_7 = 'DART'

do for [kind in 'svg png'] {
  if (kind eq 'svg') {
    set terminal svg size 1200,1054 enhanced font 'sans-serif,12' fontscale 1.333 background 'white'
  } else {
    set terminal pngcairo size 1200,1054 enhanced font 'Sans,12' background 'white'
  }
  set output 'work_precision.'.kind
  set multiplot layout 2,2 title 'Chain pendulum: error at the end against time' noenhanced font ',19' \
    margins screen 0.08, 0.97, 0.1297, 0.9146 spacing screen 0.08, 0.0759
  unset key
  set border 3 linecolor rgb '#444444'
  set tics nomirror out textcolor rgb '#222222' font ',10'
  set xtics nomirror
  set logscale xy
  set autoscale x
  set format x '10^{%T}'
  set format y '10^{%T}'
  set yrange [1e-14:1]
  set ytics nomirror 1e-15,1000
  unset mytics
  set grid xtics ytics linetype 1 linecolor rgb '#dddddd' linewidth 1
  set title 'n = 1, 10 s of motion' font ',14'
  plot 'work_precision.dat' index 0 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 4 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision.dat' index 8 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 12 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 16 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 20 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 24 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 2, 10 s of motion' font ',14'
  plot 'work_precision.dat' index 1 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 5 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision.dat' index 9 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 13 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 17 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 21 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 25 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 10, 10 s of motion' font ',14'
  plot 'work_precision.dat' index 2 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 6 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision.dat' index 10 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 14 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 18 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 22 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 26 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 100, 1 s of motion' font ',14'
  plot 'work_precision.dat' index 3 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 7 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision.dat' index 11 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 15 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 19 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 23 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision.dat' index 27 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  unset title; unset tics; unset border; unset grid; unset logscale
  set xrange [0:1]; set yrange [0:1]
  set lmargin at screen 0.05; set rmargin at screen 0.98
  set bmargin at screen 0; set tmargin at screen 0.0797
  set label 100 'largest distance of a mass from the reference, in links' \
    at screen 0.015, 0.5398 rotate by 90 center noenhanced
  set label 101 'time, s' at screen 0.53, 0.0816 center noenhanced
  set key at screen 0.5, 0.0664 center top vertical maxrows 3 \
    Left reverse noenhanced samplen 3 font ',10.5' width -6
  plot 2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7 title label_1, \
    2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7 title label_2, \
    2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_3, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_4, \
    2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_5, \
    2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_6, \
    2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_7
  unset multiplot
  unset label
  unset output
}
