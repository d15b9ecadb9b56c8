gpustat --version <&- >&- 2>&-
