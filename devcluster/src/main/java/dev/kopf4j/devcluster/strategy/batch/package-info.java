/** The kinds of the group {@code batch}: jobs and cron jobs. */
package dev.kopf4j.devcluster.strategy.batch;
