# Tables as gnuplot and numpy head them: the comment above the rows names their columns. 100 W for 2 s each.
energy() { cat > log.dat; gpustat power log.dat -q -f csv --show rows,energy_trapezoid_j | tail -n 1; }
printf '# time power_w\n0.0 100\n1.0 100\n2.0 100\n' | energy
printf '# time[s] power[W] temp[C]\n0.0 100 40\n1.0 100 40\n2.0 100 40\n' | energy
printf '# run 5 of ours\n# from node1, by me\n# time,power_w\n0.0,100\n1.0,100\n2.0,100\n' | energy
# What tells of the run is no header, though it has as many commas.
printf '# run 5 of ours\n# from node1, by me\n2024-05-01 12:00:00,100\n2024-05-01 12:00:01,100\n2024-05-01 12:00:02,100\n' | energy
printf '# from node1, by me\ntime,power_w\n0.0,100\n1.0,100\n2.0,100\n' | energy
