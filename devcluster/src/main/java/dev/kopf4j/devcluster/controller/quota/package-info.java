/** Quotas: {@code pkg/controller/resourcequota}, v1.33. */
package dev.kopf4j.devcluster.controller.quota;
