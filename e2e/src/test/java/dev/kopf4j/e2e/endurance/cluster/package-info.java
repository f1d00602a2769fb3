/** Tests of what reaches the cluster under trial. */
@NullMarked
package dev.kopf4j.e2e.endurance.cluster;

import org.jspecify.annotations.NullMarked;
