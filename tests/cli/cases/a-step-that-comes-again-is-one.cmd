# wandb's history: an evaluation is a row of the step before. A list of steps without times says what it lacks.
{ echo _step,_runtime,_timestamp,train/loss,eval/loss
  for k in 0 1 2 3 4 5; do
      echo "$k,$k.2,178919384$k.2,2.$k,"
      [ $k != 3 ] || echo "$k,$k.6,178919384$k.6,,1.$k"
  done; } > history.csv
gpustat events history.csv -q -f csv --show event,n,duration_min_ms,duration_max_ms
gpustat map history.csv 2> /dev/null | grep -E 'where|phase'
{ printf '{\n  "epoch": 2.0,\n  "global_step": 30,\n  "log_history": ['
  for k in 1 2 3; do printf '%s\n    {\n      "loss": 2.%s,\n      "epoch": 1.5,\n      "step": %s0\n    }' "${c-}" $k $k; c=,; done
  printf '\n  ],\n  "max_steps": 30\n}\n'; } > trainer_state.json
gpustat events trainer_state.json
# Lines of another kind are told by the column that names each.
{ echo '{"event": "configuration", "lr": 0.001}'
  for k in 1 2 3 4; do echo "{\"event\": \"epoch\", \"epoch\": $k, \"seconds\": $((14 - k % 2)), \"loss\": 1.2}"; done
  echo '{"event": "done", "best": 1.1}'; } > train.jsonl
gpustat events train.jsonl -q -f csv --show event,n,duration_mean_ms
gpustat map train.jsonl 2> /dev/null | grep where
