/** Tests of disruption budgets. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.disruption;
