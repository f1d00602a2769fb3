/** What is asked of the cluster, as its administrator. */
@NullMarked
package dev.kopf4j.e2e.endurance.cluster;

import org.jspecify.annotations.NullMarked;
