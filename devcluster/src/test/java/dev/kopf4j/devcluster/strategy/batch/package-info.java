/** Tests of the kinds of batch. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.strategy.batch;
