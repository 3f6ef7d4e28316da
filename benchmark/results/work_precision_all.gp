# Draws work_precision_all.svg and .png from work_precision_all.dat: run gnuplot on this file in its folder.
reset
set encoding utf8
label_1 = 'ours: gauss, 8 stages'
label_2 = 'ours: gauss, 6 stages'
label_3 = 'ours: gauss, 4 stages'
label_4 = 'ours: variational+kl8'
label_5 = 'ours: hamel'
label_6 = 'ours: gauss, 8 stages, tolerance'
label_7 = 'ours: gauss, 6 stages, tolerance'
label_8 = 'ours: gauss, 4 stages, tolerance'
label_9 = 'ours: variational+kl8, tolerance'
label_10 = 'Odeint Fehlberg 7(8), O(n)'
label_11 = 'Odeint Dormand–Prince 5, O(n)'
label_12 = 'Odeint Bulirsch–Stoer, O(n)'
label_13 = 'Odeint Fehlberg 7(8), dense'
label_14 = 'Odeint Dormand–Prince 5, dense'
label_15 = 'Odeint Bulirsch–Stoer, dense'
label_16 = 'CVODE Adams'
label_17 = 'ARKODE Dormand–Prince 5'
label_18 = 'ARKODE Fehlberg 8'
label_19 = 'IDA, stabilised index 2'
label_20 = 'IDA, index 1'
label_21 = 'MuJoCo RK4, hinges'
label_22 = 'Simbody Merson, universal'
label_23 = 'DART Euler, universal'

do for [kind in 'svg png'] {
  if (kind eq 'svg') {
    set terminal svg size 1200,1144 enhanced font 'sans-serif,12' fontscale 1.333 background 'white'
  } else {
    set terminal pngcairo size 1200,1144 enhanced font 'Sans,12' background 'white'
  }
  set output 'work_precision_all.'.kind
  set multiplot layout 2,2 title 'Chain pendulum: error at the end against time' noenhanced font ',19' \
    margins screen 0.08, 0.97, 0.2021, 0.9213 spacing screen 0.08, 0.0699
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
  plot 'work_precision_all.dat' index 0 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 4 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 8 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 12 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 16 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 20 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 24 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 28 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 32 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 36 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 40 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 44 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 48 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 52 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 56 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 60 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 64 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 68 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 72 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 76 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 80 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 84 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 88 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 2, 10 s of motion' font ',14'
  plot 'work_precision_all.dat' index 1 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 5 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 9 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 13 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 17 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 21 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 25 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 29 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 33 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 37 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 41 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 45 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 49 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 53 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 57 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 61 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 65 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 69 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 73 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 77 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 81 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 85 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 89 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 10, 10 s of motion' font ',14'
  plot 'work_precision_all.dat' index 2 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 6 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 10 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 14 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 18 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 22 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 26 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 30 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 34 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 38 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 42 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 46 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 50 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 54 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 58 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 62 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 66 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 70 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 74 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 78 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 82 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 86 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 90 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  set title 'n = 100, 1 s of motion' font ',14'
  plot 'work_precision_all.dat' index 3 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 7 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 11 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 15 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 19 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 23 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 27 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 31 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 35 using 1:2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 39 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 43 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 47 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 51 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 55 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 59 using 1:2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 63 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 67 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7, \
    'work_precision_all.dat' index 71 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7, \
    'work_precision_all.dat' index 75 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 13 pointsize 0.7, \
    'work_precision_all.dat' index 79 using 1:2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 11 pointsize 0.7, \
    'work_precision_all.dat' index 83 using 1:2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 87 using 1:2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7, \
    'work_precision_all.dat' index 91 using 1:2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7
  unset title; unset tics; unset border; unset grid; unset logscale
  set xrange [0:1]; set yrange [0:1]
  set lmargin at screen 0.05; set rmargin at screen 0.98
  set bmargin at screen 0; set tmargin at screen 0.1521
  set label 100 'largest distance of a mass from the reference, in links' \
    at screen 0.015, 0.5760 rotate by 90 center noenhanced
  set label 101 'time, s' at screen 0.53, 0.1538 center noenhanced
  set key at screen 0.5, 0.1399 center top vertical maxrows 8 \
    Left reverse noenhanced samplen 3 font ',10.5' width -6
  plot 2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 7 pointsize 0.7 title label_1, \
    2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 5 pointsize 0.7 title label_2, \
    2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 9 pointsize 0.7 title label_3, \
    2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 13 pointsize 0.7 title label_4, \
    2 with linespoints linecolor rgb '#D55E00' dashtype solid linewidth 2.2 pointtype 11 pointsize 0.7 title label_5, \
    2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 7 pointsize 0.7 title label_6, \
    2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 5 pointsize 0.7 title label_7, \
    2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 9 pointsize 0.7 title label_8, \
    2 with linespoints linecolor rgb '#D55E00' dashtype (10,4) linewidth 2.2 pointtype 13 pointsize 0.7 title label_9, \
    2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_10, \
    2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7 title label_11, \
    2 with linespoints linecolor rgb '#0072B2' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7 title label_12, \
    2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 7 pointsize 0.7 title label_13, \
    2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 5 pointsize 0.7 title label_14, \
    2 with linespoints linecolor rgb '#0072B2' dashtype (10,4) linewidth 1.4 pointtype 9 pointsize 0.7 title label_15, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_16, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 5 pointsize 0.7 title label_17, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 9 pointsize 0.7 title label_18, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 13 pointsize 0.7 title label_19, \
    2 with linespoints linecolor rgb '#009E73' dashtype solid linewidth 1.4 pointtype 11 pointsize 0.7 title label_20, \
    2 with linespoints linecolor rgb '#E69F00' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_21, \
    2 with linespoints linecolor rgb '#CC79A7' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_22, \
    2 with linespoints linecolor rgb '#56B4E9' dashtype solid linewidth 1.4 pointtype 7 pointsize 0.7 title label_23
  unset multiplot
  unset label
  unset output
}
