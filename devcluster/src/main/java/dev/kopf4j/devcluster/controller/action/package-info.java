/**
 * What the controllers of workloads share: the queue of objects to look at, and what they do with objects and read of
 * pods.
 */
package dev.kopf4j.devcluster.controller.action;
