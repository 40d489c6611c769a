/* The results in the shape of fio's JSON, for programs that read that. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "assay/array.h"
#include "assay/measure.h"
#include "measure/topic.h"

static double number_of(const struct row *row, const char *column)
{
	double number = 0;

	value_number(row_get(row, column), &number);
	return number;
}

/* A point with the rows that follow it: its seconds and latencies. */
struct point {
	const struct row *row, *end;
};

/* The histogram's rows of a point and kind, as a histogram again. */
static void latency_of(const struct point *point, const char *kind, struct histogram *latency)
{
	histogram_init(latency);
	for (const struct row *row = point->row; row < point->end; row++) {
		if (row->table != &table_bench_histogram ||
			strcmp(row_text(row, "kind"), kind) != 0)
			continue;
		uint64_t low = row_get(row, "low_ns").uint, high = row_get(row, "high_ns").uint;

		latency->bins[histogram_bin(low)] = row_get(row, "count").uint;
		latency->count += row_get(row, "count").uint;
		latency->min_ns = low < latency->min_ns ? low : latency->min_ns;
		latency->max_ns = high - 1 > latency->max_ns ? high - 1 : latency->max_ns;
	}
}

static void add_percentiles(cJSON *json, const struct histogram *latency)
{
	static const double percents[] = { 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5,
		99.9, 99.95, 99.99, 99.999 };
	cJSON *object = cJSON_AddObjectToObject(json, "percentile"), *bins;
	char name[24];

	for (size_t i = 0; i < ARRAY_LEN(percents); i++) {
		snprintf(name, sizeof(name), "%f", percents[i]);
		cJSON_AddNumberToObject(
			object, name, (double)histogram_percentile_ns(latency, percents[i]));
	}
	bins = cJSON_AddObjectToObject(json, "bins");
	for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
		if (!latency->bins[i])
			continue;
		snprintf(name, sizeof(name), "%llu",
			(unsigned long long)(histogram_low_ns(i) + histogram_high_ns(i)) / 2);
		cJSON_AddNumberToObject(bins, name, (double)latency->bins[i]);
	}
}

/* A column of a kind: "read_iops". There are no trims. */
static double kind_number(const struct row *row, const char *kind, const char *column)
{
	char name[40];

	if (!strcmp(kind, "trim"))
		return 0;
	snprintf(name, sizeof(name), "%s_%s", kind, column);
	return number_of(row, name);
}

/* Least, most, mean and deviation of a column of the whole seconds. */
static void add_samples(cJSON *json, const struct point *point, const char *kind,
	const char *column, const char *name, const char *deviation_name, double factor)
{
	double least = 0, most = 0, sum = 0, squares = 0, count = 0;
	double seconds = floor(number_of(point->row, "seconds"));
	char text[24];

	for (const struct row *row = point->row; row < point->end; row++) {
		if (row->table != &table_bench_series || number_of(row, "second") >= seconds)
			continue;
		double value = kind_number(row, kind, column) * factor;

		least = count > 0 && least < value ? least : value;
		most = count > 0 && most > value ? most : value;
		sum += value;
		squares += value * value;
		count++;
	}
	double mean = count > 0 ? sum / count : 0;
	double variance = count > 1 ? (squares - sum * mean) / (count - 1) : 0;

	const struct {
		const char *name;
		double value;
	} figures[] = { { "min", least }, { "max", most }, { "mean", mean },
		{ deviation_name, variance > 0 ? sqrt(variance) : 0 }, { "samples", count } };

	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		snprintf(text, sizeof(text), "%s_%s", name, figures[i].name);
		cJSON_AddNumberToObject(json, text, figures[i].value);
	}
}

static void add_latency(
	cJSON *json, const struct point *point, const char *kind, struct histogram *bins)
{
	static const struct {
		const char *name, *column;
	} times[] = { { "mean", "mean_us" }, { "max", "maximum_us" },
		{ "stddev", "deviation_us" } };
	cJSON *latency = cJSON_AddObjectToObject(json, "clat_ns");

	latency_of(point, kind, bins);
	cJSON_AddNumberToObject(latency, "min", bins->count ? (double)bins->min_ns : 0);
	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		cJSON_AddNumberToObject(latency, times[i].name,
			kind_number(point->row, kind, times[i].column) * 1000);
	cJSON_AddNumberToObject(latency, "N", (double)bins->count);
	/* fio has neither of them where there were no accesses, and readers count on that */
	if (bins->count)
		add_percentiles(latency, bins);
	cJSON_AddItemToObject(json, "lat_ns", cJSON_Duplicate(latency, true));
}

static void add_kind(
	cJSON *job, const struct point *point, const char *kind, struct histogram *bins)
{
	static const struct {
		const char *name, *column;
		double factor;
	} rates[] = { { "io_bytes", "bytes", 1 }, { "io_kbytes", "bytes", 1.0 / 1024 },
		{ "bw_bytes", "bytes_per_second", 1 }, { "bw", "bytes_per_second", 1.0 / 1024 },
		{ "iops", "iops", 1 }, { "total_ios", "count", 1 } };
	cJSON *json = cJSON_AddObjectToObject(job, kind);

	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		cJSON_AddNumberToObject(json, rates[i].name,
			kind_number(point->row, kind, rates[i].column) * rates[i].factor);
	cJSON_AddNumberToObject(json, "runtime", number_of(point->row, "seconds") * 1000);
	add_latency(json, point, kind, bins);
	add_samples(json, point, kind, "count", "iops", "stddev", 1);
	add_samples(json, point, kind, "bytes", "bw", "dev", 1.0 / 1024);
}

/* fio's coarse distribution: percent of the accesses up to each limit. */
static const struct {
	const char *name;
	uint64_t unit_ns;
	unsigned limits[13]; /* 0: the end */
} distributions[] = {
	{ "latency_ns", 1, { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 } },
	{ "latency_us", 1000, { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 } },
	{ "latency_ms", 1000000, { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 } },
};

static double percent_below(const struct histogram *latency, uint64_t ns)
{
	double below = 0;

	for (size_t i = 0; i < HISTOGRAM_BINS && histogram_low_ns(i) < ns; i++)
		below += (double)latency->bins[i];
	return latency->count ? below / (double)latency->count * 100 : 0;
}

static void add_distributions(cJSON *job, const struct histogram *latency)
{
	uint64_t before_ns = 0;
	char name[12];

	for (size_t i = 0; i < ARRAY_LEN(distributions); i++) {
		cJSON *json = cJSON_AddObjectToObject(job, distributions[i].name);

		for (const unsigned *limit = distributions[i].limits; *limit; limit++) {
			uint64_t ns = *limit * distributions[i].unit_ns;

			snprintf(name, sizeof(name), "%u", *limit);
			cJSON_AddNumberToObject(json, name,
				percent_below(latency, ns) - percent_below(latency, before_ns));
			before_ns = ns;
		}
		if (distributions[i].unit_ns == 1000000)
			cJSON_AddNumberToObject(
				json, ">=2000", 100 - percent_below(latency, before_ns));
	}
}

static const char *direction(const struct row *row)
{
	bool random = number_of(row, "random_percent") > 0;
	double read = number_of(row, "read_percent");

	if (read >= 100)
		return random ? "randread" : "read";
	if (read <= 0)
		return random ? "randwrite" : "write";
	return random ? "randrw" : "rw";
}

static cJSON *job_json(const struct point *point)
{
	static const char *const kinds[] = { "read", "write", "trim" };
	cJSON *job = cJSON_CreateObject(), *options;
	const struct row *row = point->row;
	struct histogram bins, all;
	char text[128];

	histogram_init(&all);

	snprintf(text, sizeof(text), "%s-%.0f-%.0f", row_text(row, "workload"),
		number_of(row, "round"), number_of(row, "point"));
	cJSON_AddStringToObject(job, "jobname", text);
	cJSON_AddNumberToObject(job, "groupid", number_of(row, "point"));
	cJSON_AddNumberToObject(job, "error", number_of(row, "errors"));
	options = cJSON_AddObjectToObject(job, "job options");
	cJSON_AddStringToObject(options, "rw", direction(row));
	cJSON_AddStringToObject(options, "bs", row_text(row, "block"));
	snprintf(text, sizeof(text), "%.0f", number_of(row, "depth"));
	cJSON_AddStringToObject(options, "iodepth", text);
	snprintf(text, sizeof(text), "%.0f", number_of(row, "threads"));
	cJSON_AddStringToObject(options, "numjobs", text);
	snprintf(text, sizeof(text), "%.0f", number_of(row, "read_percent"));
	cJSON_AddStringToObject(options, "rwmixread", text);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		add_kind(job, point, kinds[i], &bins);
		histogram_merge(&all, &bins);
	}
	add_distributions(job, &all);
	cJSON_AddNumberToObject(job, "job_runtime", number_of(row, "seconds") * 1000);
	return job;
}

static bool is_point(const struct row *row)
{
	return row->table == &table_bench && !strcmp(row_text(row, "phase"), "measure");
}

static void add_jobs(cJSON *jobs, const struct facts *facts)
{
	const struct row *end = facts->rows + facts->row_count;

	for (const struct row *row = facts->rows; row < end; row++) {
		struct point point = { row, row + 1 };

		if (!is_point(row))
			continue;
		while (point.end < end && point.end->table != &table_bench)
			point.end++;
		cJSON_AddItemToArray(jobs, job_json(&point));
	}
}

int measure_fio_json(FILE *file, const struct facts *facts)
{
	cJSON *json = cJSON_CreateObject(), *jobs;
	char *text;

	cJSON_AddStringToObject(json, "fio version", "fio-3.33");
	cJSON_AddStringToObject(json, "made by", "assay");
	cJSON_AddObjectToObject(json, "global options");
	jobs = cJSON_AddArrayToObject(json, "jobs");
	add_jobs(jobs, facts);
	text = cJSON_Print(json);
	int failed = text && fprintf(file, "%s\n", text) > 0 ? 0 : -EIO;

	cJSON_free(text);
	cJSON_Delete(json);
	return failed;
}
