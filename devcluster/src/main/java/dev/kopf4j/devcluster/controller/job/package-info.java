/** Jobs: {@code pkg/controller/job} and {@code pkg/controller/ttlafterfinished}, v1.33. */
package dev.kopf4j.devcluster.controller.job;
