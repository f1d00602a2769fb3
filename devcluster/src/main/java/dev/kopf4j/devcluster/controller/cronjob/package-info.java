/** Cron jobs: {@code pkg/controller/cronjob}, v1.33. */
package dev.kopf4j.devcluster.controller.cronjob;
