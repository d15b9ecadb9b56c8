trap '' PIPE
mkfifo p
exec 3<> p 4> p 3>&-
(exec gpustat help >&4)
