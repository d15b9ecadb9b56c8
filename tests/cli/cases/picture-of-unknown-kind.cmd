gpustat events data/ --plot figure.gif; code=$?; ls; exit $code
