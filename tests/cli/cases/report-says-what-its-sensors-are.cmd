gpustat report data/ -o page -q > /dev/null
grep -o 'Energies are integrals .*' page/report.md
gpustat report data/ -o page -q --card 'NVIDIA GeForce RTX 3090' > /dev/null
grep -o 'Energies are integrals .*' page/report.md
