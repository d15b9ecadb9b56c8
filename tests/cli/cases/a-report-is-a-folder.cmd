# A folder that is called like a page does not open as one: the name is refused before anything is read, and nothing is made.
for name in page.html out/page.pdf; do
    gpustat report data -o $name
    echo "status $?"
done
ls
gpustat report data -o -; echo $?
gpustat split data --parts 2 -o -; echo $?; ls -d ./-
