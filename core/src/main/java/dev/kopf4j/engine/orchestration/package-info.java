/**
 * Decides which streams run: one for each watched resource in each watched namespace. Starts and stops them as
 * resources and namespaces come and go, and as the operator is paused and resumed.
 *
 * <p>{@code ActingOperator} starts and stops the orchestrator. Nothing else starts streams of objects.
 */
package dev.kopf4j.engine.orchestration;
