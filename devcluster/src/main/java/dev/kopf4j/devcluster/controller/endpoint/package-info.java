/**
 * Where services lead: {@code pkg/controller/endpoint} and {@code pkg/controller/endpointslice} of Kubernetes, and the
 * module {@code k8s.io/endpointslice}, v1.33. {@link ServiceController.ServicePod} is a pod as a service sees it.
 */
package dev.kopf4j.devcluster.controller.endpoint;
