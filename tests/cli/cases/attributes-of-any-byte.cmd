# Values of attributes keep every byte: none ends a value, and none makes another attribute.
printf '{"name":"a","start":"2024-05-01T12:00:00Z","stop":"2024-05-01T12:00:01Z","note":"left\\u001eright","zone":"west"}\n' > e.jsonl
printf '{"name":"b","start":"2024-05-01T12:00:00Z","stop":"2024-05-01T12:00:01Z","note":"x\\u001ezone\\u001fforged","zone":"east"}\n' >> e.jsonl
ask='--events e.jsonl --set events.attributes.note=note --set events.attributes.zone=zone -f csv -q'
gpustat events $ask --by zone | cut -d, -f 1-3
gpustat events $ask --by note | cut -d, -f 1-3 | od -c
