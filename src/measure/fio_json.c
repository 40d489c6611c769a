/* The results in the shape of fio's JSON, for programs that read that. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "assay/measure.h"
#include "measure/topic.h"

static double number_of(const struct row *row, const char *column)
{
	double number = 0;

	value_number(row_get(row, column), &number);
	return number;
}

static bool is_same(const struct row *a, const struct row *b)
{
	return !strcmp(row_get(a, "workload").text, row_get(b, "workload").text) &&
		!strcmp(row_get(a, "phase").text, row_get(b, "phase").text) &&
		fabs(number_of(a, "round") - number_of(b, "round")) < 0.5 &&
		fabs(number_of(a, "point") - number_of(b, "point")) < 0.5;
}

/* The histogram's rows of a point and kind, as a histogram again. */
static void latency_of(const struct facts *facts, const struct row *point, const char *kind,
	struct histogram *latency)
{
	histogram_init(latency);
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != &table_bench_histogram || !is_same(row, point) ||
			strcmp(row_get(row, "kind").text, kind) != 0)
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

	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
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

static void add_kind(cJSON *job, const struct facts *facts, const struct row *row, const char *kind)
{
	cJSON *json = cJSON_AddObjectToObject(job, kind), *latency;
	double seconds = number_of(row, "seconds");
	char name[40];
	struct histogram bins;

	static const struct {
		const char *name, *column;
		double factor;
	} rates[] = { { "io_bytes", "bytes", 1 }, { "total_ios", "count", 1 },
		{ "iops", "iops", 1 }, { "bw_bytes", "bytes_per_second", 1 },
		{ "bw", "bytes_per_second", 1.0 / 1024 } },
	  times[] = { { "mean", "mean_us", 1000 }, { "max", "maximum_us", 1000 },
		  { "stddev", "deviation_us", 1000 } };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		snprintf(name, sizeof(name), "%s_%s", kind, rates[i].column);
		cJSON_AddNumberToObject(
			json, rates[i].name, number_of(row, name) * rates[i].factor);
	}
	cJSON_AddNumberToObject(json, "runtime", seconds * 1000);
	snprintf(name, sizeof(name), "%s_iops", kind);
	cJSON_AddNumberToObject(json, "iops_mean", number_of(row, name));
	latency = cJSON_AddObjectToObject(json, "clat_ns");
	latency_of(facts, row, kind, &bins);
	cJSON_AddNumberToObject(latency, "min", bins.count ? (double)bins.min_ns : 0);
	cJSON_AddNumberToObject(latency, "N", (double)bins.count);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		snprintf(name, sizeof(name), "%s_%s", kind, times[i].column);
		cJSON_AddNumberToObject(
			latency, times[i].name, number_of(row, name) * times[i].factor);
	}
	add_percentiles(latency, &bins);
	cJSON_AddItemToObject(json, "lat_ns", cJSON_Duplicate(latency, true));
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

static cJSON *job_json(const struct facts *facts, const struct row *row)
{
	cJSON *job = cJSON_CreateObject(), *options;
	char text[128];

	snprintf(text, sizeof(text), "%s-%.0f-%.0f", row_get(row, "workload").text,
		number_of(row, "round"), number_of(row, "point"));
	cJSON_AddStringToObject(job, "jobname", text);
	cJSON_AddNumberToObject(job, "groupid", number_of(row, "point"));
	cJSON_AddNumberToObject(job, "error", number_of(row, "errors"));
	options = cJSON_AddObjectToObject(job, "job options");
	cJSON_AddStringToObject(options, "rw", direction(row));
	cJSON_AddStringToObject(options, "bs", row_get(row, "block").text);
	snprintf(text, sizeof(text), "%.0f", number_of(row, "depth"));
	cJSON_AddStringToObject(options, "iodepth", text);
	snprintf(text, sizeof(text), "%.0f", number_of(row, "threads"));
	cJSON_AddStringToObject(options, "numjobs", text);
	snprintf(text, sizeof(text), "%.0f", number_of(row, "read_percent"));
	cJSON_AddStringToObject(options, "rwmixread", text);
	add_kind(job, facts, row, "read");
	add_kind(job, facts, row, "write");
	cJSON_AddNumberToObject(job, "job_runtime", number_of(row, "seconds") * 1000);
	return job;
}

int measure_fio_json(FILE *file, const struct facts *facts)
{
	cJSON *json = cJSON_CreateObject(), *jobs;
	char *text;

	cJSON_AddStringToObject(json, "fio version", "fio-3.33");
	cJSON_AddStringToObject(json, "made by", "assay");
	cJSON_AddObjectToObject(json, "global options");
	jobs = cJSON_AddArrayToObject(json, "jobs");
	for (size_t i = 0; i < facts->row_count; i++)
		if (facts->rows[i].table == &table_bench &&
			!strcmp(row_get(&facts->rows[i], "phase").text, "measure"))
			cJSON_AddItemToArray(jobs, job_json(facts, &facts->rows[i]));
	text = cJSON_Print(json);
	int failed = text && fprintf(file, "%s\n", text) > 0 ? 0 : -EIO;

	cJSON_free(text);
	cJSON_Delete(json);
	return failed;
}
