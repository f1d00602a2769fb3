/**
 * Decides which streams run: one for each watched resource in each watched namespace. Starts and stops them as
 * resources and namespaces come and go, and as the operator is paused and resumed.
 *
 * <p>{@code RunningOperator} starts it when the operator acts; it is the only one that starts streams of objects.
 */
package dev.kopf4j.engine.orchestration;
