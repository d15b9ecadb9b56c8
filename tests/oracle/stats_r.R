# Expected numbers of the statistics tests from R.
#
#     Rscript tests/oracle/stats_r.R > tests/oracle/stats_r.h
#
# The series are integer formulas, so that C draws the same ones.
options(warn = -1)
show <- function(name, values) {
  cat(sprintf("static const double %s[] = {\n", name))
  cat(paste0("    ", sprintf("%.17g", values), ",\n"), sep = "")
  cat("};\n\n")
}
cat("/* stats_r.h - written by stats_r.R. */\n#ifndef GPUSTAT_TEST_STATS_R_H\n#define GPUSTAT_TEST_STATS_R_H\n\n")

i <- 0:59
x <- (7 * i * i + 3 * i) %% 53
y <- (i^3 + 11 * i) %% 97 + 2 * x
at <- c(0, 3, 10.5, 26, 52, 60)
for (degree in 0:2) {
  for (span in c(0.3, 0.75, 1, 1.5)) {
    m <- loess(y ~ x, degree = degree, span = span, control = loess.control(surface = "direct"))
    show(sprintf("r_loess_%d_%d", degree, round(100 * span)), predict(m, at))
  }
}
gap <- max(abs(fitted(loess(y ~ x)) - fitted(loess(y ~ x, control = loess.control(surface = "direct")))))
cat(sprintf("/* R's default, interpolated surface is off by up to %.3g here, of a range of %g. */\n\n", gap, diff(range(y))))

m <- summary(lm(y ~ x))
show("r_line", c(coef(m)[2, 1], coef(m)[1, 1], m$r.squared, m$sigma, coef(m)[2, 2], coef(m)[1, 2]))
m <- cor.test(x, y)
show("r_pearson", c(m$estimate, m$conf.int, m$p.value))
show("r_pearson_80", cor.test(x, y, conf.level = 0.8)$conf.int)
show("r_spearman_rho", cor(x, y, method = "spearman"))
show("r_quantiles", quantile(y, c(0.01, 0.25, 0.5, 0.95), type = 7))
show("r_mad", c(median(y), mad(y, constant = 1)))

# Rank sums: with ties; without (exact); large without ties (approximate in both).
w <- function(a, b, exact) {
  p <- sapply(c("two.sided", "greater", "less"), function(s) wilcox.test(a, b, alternative = s, exact = exact)$p.value)
  c(wilcox.test(a, b, exact = exact)$statistic, p)
}
show("r_rank_sum_ties", w(x[1:20], x[21:60] + 4, FALSE))
a <- (37 * (0:11)) %% 101 + 0.5
b <- (53 * (0:17)) %% 103
show("r_rank_sum_exact", w(a, b, TRUE))
a <- (37 * (0:39)) %% 211 + 15.5
b <- (53 * (0:79)) %% 223
show("r_rank_sum_large", w(a, b, FALSE))
p <- c(0.01, 0.02, NA, 0.03, 0.005, 0.9, 0.02, 1e-12, 0.5)
show("r_fdr", ifelse(is.na(p), -1, p.adjust(p, "BH")))

# The knee, by brute force over lm().
i <- 0:49
kx <- 7 * i + i %% 5
kx[11] <- kx[10]
ky <- ifelse(kx < 200, 10 + 0.25 * kx, 60 + 2 * (kx - 200)) + ((13 * i * i) %% 17) / 16
o <- order(kx, ky)
kx <- kx[o]
ky <- ky[o]
ux <- unique(kx)
best <- list(sse = Inf)
for (j in 2:(length(ux) - 2)) {
  l <- kx <= ux[j]
  sse <- deviance(lm(ky[l] ~ kx[l])) + deviance(lm(ky[!l] ~ kx[!l]))
  if (sse < best$sse) best <- list(sse = sse, x = (ux[j] + ux[j + 1]) / 2, l = coef(lm(ky[l] ~ kx[l])), r = coef(lm(ky[!l] ~ kx[!l])))
}
show("r_knee_apart", c(best$x, best$l[2], best$l[1], best$r[2], best$r[1], best$sse, deviance(lm(ky ~ kx))))
hinge <- function(t) deviance(lm(ky ~ kx + pmax(0, kx - t)))
best <- list(objective = Inf)
for (j in 2:(length(ux) - 2)) {
  o <- optimize(hinge, ux[j + 0:1], tol = 1e-9)
  if (o$objective < best$objective) best <- o
}
cc <- coef(lm(ky ~ kx + pmax(0, kx - best$minimum)))
show("r_knee_joined", c(best$minimum, cc[2], cc[1], cc[2] + cc[3], cc[1] - cc[3] * best$minimum, best$objective))

# Three groups of rows, a column of other scale, and a constant column.
i <- 0:89
z <- cbind((i %% 3) * 6 + ((7 * i * i) %% 11) / 4, 1000 * ((i %% 3) == 1) + (29 * i) %% 300, 5)
s <- scale(z[, 1:2])
d <- as.matrix(dist(s))
silhouette <- function(label) {
  mean(sapply(seq_along(label), function(k) {
    own <- label == label[k]
    if (sum(own) < 2) return(0)
    a <- sum(d[k, own]) / (sum(own) - 1)
    b <- min(sapply(setdiff(unique(label), label[k]), function(c) mean(d[k, label == c])))
    (b - a) / max(a, b)
  }))
}
set.seed(1)
fits <- lapply(2:6, function(k) kmeans(s, k, nstart = 200, iter.max = 100))
sil <- sapply(fits, function(f) silhouette(f$cluster))
show("r_kmeans_inertia", sapply(fits, function(f) f$tot.withinss))
show("r_kmeans_silhouette", sil)
f <- fits[[which.max(sil)]]
centre <- aggregate(z, list(f$cluster), mean)[, -1]
centre <- as.matrix(centre[order(centre[, 1]), ])
show("r_kmeans_centres", as.vector(t(centre)))
cat("#endif\n")
