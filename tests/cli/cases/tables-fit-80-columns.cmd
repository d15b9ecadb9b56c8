# Long texts are broken between words; parts of a table that is too wide repeat what tells its rows apart.
gpustat check data/ -q --width 80
gpustat balance data/ -q --width 80 --top 3
gpustat crosstalk data/crosstalk.csv -q --width 80 --top 3
gpustat schedule data/ -q --explain --width 80 | awk 'length > 80 { print "too long: " $0 } /\.\./ { print "cut: " $0 }'
