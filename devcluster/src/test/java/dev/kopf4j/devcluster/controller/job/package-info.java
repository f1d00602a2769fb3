/** Tests of jobs. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.job;
