for topic in ci columns energy formats scale studies tutorial; do gpustat help $topic | head -n 1; done
gpustat help columns | tail -n 4
gpustat help -a | grep -o '^  timeline '
gpustat help --all | cmp - <(gpustat help -a)
gpustat help columm
