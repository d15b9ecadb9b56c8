# The row that a note is about goes by its keys.
gpustat events data/ --by event,level > /dev/null
