//go:build !unix

package main

// keepPrivate has nothing to do where folders of a user are private by themselves.
func keepPrivate() {}
