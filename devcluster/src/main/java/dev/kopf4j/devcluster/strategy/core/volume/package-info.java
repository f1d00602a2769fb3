/** Claims of volumes, and volumes. */
package dev.kopf4j.devcluster.strategy.core.volume;
