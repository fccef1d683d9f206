// SPDX-License-Identifier: Apache-2.0

// Command registrar tells the kubelet of a CSI driver's node socket, as node-driver-registrar does,
// which cannot be had as a Go module. The kubelet finds the registration socket by its directory,
// asks there what plugin it is, and says how that went.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

type plugin struct {
	registration.UnimplementedRegistrationServer
	info *registration.PluginInfo
}

func (p *plugin) GetInfo(
	context.Context, *registration.InfoRequest,
) (*registration.PluginInfo, error) {
	return p.info, nil
}

// NotifyRegistrationStatus leaves with an error if the kubelet refused: there is nothing to try
// again.
func (p *plugin) NotifyRegistrationStatus(
	_ context.Context, status *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	if !status.PluginRegistered {
		log.Fatalf("the kubelet refuses %s: %s", p.info.Name, status.Error)
	}
	log.Printf("%s is registered", p.info.Name)
	return &registration.RegistrationStatusResponse{}, nil
}

func main() {
	driver := flag.String("driver", "", "the CSI driver's name")
	endpoint := flag.String("endpoint", "", "path of the socket of its node part")
	socket := flag.String("socket", "", "path of the registration socket, in plugins_registry")
	flag.Parse()

	if err := os.Remove(*socket); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", *socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, &plugin{info: &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: *driver, Endpoint: *endpoint,
		SupportedVersions: []string{"1.0.0"},
	}})
	log.Fatal(server.Serve(listener))
}
