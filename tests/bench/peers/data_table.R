# data_table.R COMMANDS DIR THREADS - the tables of gpustat's commands ("events,gpus") by R data.table.
# Tuned: only the columns needed are read; times become whole milliseconds since the first sample, which sort by radix.
suppressPackageStartupMessages(library(data.table))
arguments <- commandArgs(TRUE)
wanted <- strsplit(arguments[1], ",")[[1]]
dir <- arguments[2]
setDTthreads(as.integer(arguments[3]))
joins <- any(c("events", "zoom") %in% wanted)
per_gpu <- any(c("gpus", "correlate") %in% wanted)
metrics <- c("p", "k", "u", "m")
named <- c("power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct")

read <- function(file, columns, names) {
    d <- fread(file.path(dir, file), select = columns, showProgress = FALSE, colClasses = list(character = "gpuSerial")[any(columns == "gpuSerial")])
    setnames(d, columns, names)
    d
}
g <- read("gpu.csv", c(if (joins) "timestamp", "hostname", if (per_gpu) c("gpuSerial", "gpuUUID"), "powerDrawWatt", "gpuTempC", "gpuUtilPerc", "gpuMemUtilPerc"),
          c(if (joins) "t", "h", if (per_gpu) c("sn", "id"), metrics))
checkpoints <- read("application-checkpoints.csv", c("timestamp", "hostname", "eventName", "eventType", "jobId", "taskId"), c("t", "h", "e", "y", "j", "i"))
if (!("events" %in% wanted)) checkpoints <- checkpoints[e == "TotalRender"]
epoch <- floor(as.numeric(checkpoints$t[1])) - 86400 * 7
since <- function(t) as.integer(round((as.numeric(t) - epoch) * 1000))
checkpoints[, t := since(t)]

# The k-th START with the k-th STOP of a key: side by side once both are sorted, where no key has an orphan.
pair <- function() {
    a <- checkpoints[y == "START", .(h, j, i, e, t)]
    z <- checkpoints[y == "STOP", .(h, j, i, e, t)]
    setorder(a, h, j, i, e, t)
    setorder(z, h, j, i, e, t)
    if (nrow(a) == nrow(z) && identical(a$i, z$i) && identical(a$e, z$e) && identical(a$h, z$h) && identical(a$j, z$j))
        return(a[, .(h, j, i, e, a = t, z = z$t)])
    a[, k := rowid(h, j, i, e)]
    z[, k := rowid(h, j, i, e)]
    z[a, on = .(h, j, i, e, k), nomatch = NULL, .(h, j, i, e, a = i.t, z = x.t)]
}
pairs <- pair()

# roll = "nearest" takes the earlier of two samples equally near.
if (joins) {
    g[, t := since(t)]
    at <- unique(rbindlist(list(pairs[, .(h, t = a)], pairs[, .(h, t = z)])))
    setkey(g, h, t)
    setkey(at, h, t)
    near <- g[at, on = .(h, t), roll = "nearest", mult = "first", .(h = i.h, t = i.t, p, k, u, m)]
    setkey(near, h, t)
    first <- near[pairs, on = .(h, t = a), which = TRUE]
    last <- near[pairs, on = .(h, t = z), which = TRUE]
    pairs[, (metrics) := lapply(metrics, function(c) (near[[c]][first] + near[[c]][last]) / 2)]
    pairs[, d := as.numeric(z - a)]
}

columns <- function(d) {
    q <- quantile(d, c(0.5, 0.95, 0.99), type = 7, names = FALSE)
    list(n = length(d), duration_mean_ms = mean(d), duration_sd_ms = sd(d), duration_min_ms = min(d), duration_p50_ms = q[1],
         duration_p95_ms = q[2], duration_p99_ms = q[3], duration_max_ms = max(d))
}
means <- function(p, k, u, m) setNames(list(mean(p), mean(k), mean(u), mean(m)), named)
gpus <- function() {
    s <- g[, c(list(samples = .N), means(p, k, u, m)), by = .(hostname = h, gpu_serial = sn, gpu_uuid = id)]
    r <- pairs[e == "TotalRender", .(tasks = .N, total_render_mean_s = mean(as.numeric(z - a)) / 1000), by = .(hostname = h)]
    r[s, on = "hostname"][order(hostname, gpu_serial, gpu_uuid)]
}
if (per_gpu) per <- gpus()
line <- function(metric, x, y) {
    b <- cov(x, y) / var(x)
    list(metric = metric, n = length(x), pearson_r = cor(x, y), spearman_rho = cor(x, y, method = "spearman"), slope = b,
         intercept = mean(y) - b * mean(x), r_squared = cor(x, y)^2)
}
answer <- list(
    events = function() pairs[, c(columns(d), means(p, k, u, m)), keyby = .(event = e)],
    zoom = function() {
        tasks <- fread(file.path(dir, "task-x-y.csv"), select = c("taskId", "jobId", "level"), showProgress = FALSE)
        renders <- tasks[pairs[e == "TotalRender"], on = c(taskId = "i", jobId = "j")]
        renders[, c(columns(d), means(p, k, u, m)), keyby = level]
    },
    gpus = function() per,
    correlate = function() rbindlist(Map(line, c("power_w", "temp_c", "gpu_util_pct", "mem_util_pct"), per[, ..named], list(per$total_render_mean_s)))
)
options(digits = 17)
for (name in wanted) {
    cat("# ", name, "\n", sep = "")
    cat(capture.output(fwrite(answer[[name]](), quote = FALSE)), sep = "\n")
}
