/**
 * The controllers of kube-controller-manager that the server runs itself. The store notifies them of changes, and they
 * work as tasks of the scheduler, one step at a time; none polls.
 */
package dev.kopf4j.devcluster.controller;
