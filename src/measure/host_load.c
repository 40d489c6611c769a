/* The processors of this host, by /proc/stat. */
#include "measure/host_load.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

void host_ticks_read(struct host_ticks *ticks)
{
	double spent[8] = { 0 };
	struct rusage own;
	FILE *file = fopen("/proc/stat", "re");

	*ticks = (struct host_ticks) { 0 };
	if (!file)
		return;
	/* user nice system idle iowait irq softirq steal */
	if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &spent[0], &spent[1], &spent[2],
		    &spent[3], &spent[4], &spent[5], &spent[6], &spent[7]) == 8)
		for (size_t i = 0; i < 8; i++)
			ticks->all += spent[i];
	fclose(file);
	ticks->idle = spent[3] + spent[4];
	ticks->stolen = spent[7];
	if (getrusage(RUSAGE_SELF, &own) != 0)
		return;
	ticks->own = ((double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) +
			     (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) / 1e6) *
		(double)sysconf(_SC_CLK_TCK);
}

double host_steal_percent(const struct host_ticks *before, const struct host_ticks *after)
{
	double all = after->all - before->all;

	return all > 0 ? (after->stolen - before->stolen) / all * 100 : NAN;
}

double host_taken_percent(const struct host_ticks *before, const struct host_ticks *after)
{
	static const double FREE_PERCENT = 5;
	double all = after->all - before->all, idle = after->idle - before->idle;
	double steal = host_steal_percent(before, after);

	if (!(all > 0) || idle / all * 100 >= FREE_PERCENT)
		return steal;
	double own = (after->own - before->own) / all * 100;

	return fmax(100 - idle / all * 100 - own, steal);
}
