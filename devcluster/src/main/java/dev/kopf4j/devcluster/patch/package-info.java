/** The patch formats: merge, JSON, strategic merge. Pure functions over JSON trees. */
package dev.kopf4j.devcluster.patch;
