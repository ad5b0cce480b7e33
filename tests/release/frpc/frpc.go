// What frpc does for a tunnel, over Go's own yamux: the disorder on the wire is the library's and that of goroutines. Written from
// the protocol's description, for tests alone.
package main

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/yamux"
)

// Of its one argument, in JSON.
type config struct {
	Server string         `json:"server"`
	User   string         `json:"user"`
	Token  string         `json:"token"`
	Proxy  string         `json:"proxy"`
	Ports  map[string]int `json:"ports"`
}

func send(to io.Writer, kind byte, body interface{}) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	message := make([]byte, 9, 9+len(text))
	message[0] = kind
	binary.BigEndian.PutUint64(message[1:], uint64(len(text)))
	_, err = to.Write(append(message, text...))
	return err
}

func receive(from io.Reader) (byte, map[string]interface{}, error) {
	head := make([]byte, 9)
	if _, err := io.ReadFull(from, head); err != nil {
		return 0, nil, err
	}
	text := make([]byte, binary.BigEndian.Uint64(head[1:]))
	if _, err := io.ReadFull(from, text); err != nil {
		return 0, nil, err
	}
	body := map[string]interface{}{}
	return head[0], body, json.Unmarshal(text, &body)
}

// PBKDF2 of one block: a key is shorter than a sum.
func keyOf(token string) []byte {
	sum := func(data []byte) []byte {
		mac := hmac.New(sha1.New, []byte(token))
		mac.Write(data)
		return mac.Sum(nil)
	}
	round := sum([]byte("frp\x00\x00\x00\x01"))
	key := append([]byte{}, round...)
	for count := 1; count < 64; count++ {
		round = sum(round)
		for place := range key {
			key[place] ^= round[place]
		}
	}
	return key[:16]
}

// What the other end says begins with its own random bytes, and only when it has something to say.
type decrypted struct {
	from  io.Reader
	block cipher.Block
	plain io.Reader
}

func (stream *decrypted) Read(bytes []byte) (int, error) {
	if stream.plain == nil {
		iv := make([]byte, stream.block.BlockSize())
		if _, err := io.ReadFull(stream.from, iv); err != nil {
			return 0, err
		}
		stream.plain = &cipher.StreamReader{S: cipher.NewCFBDecrypter(stream.block, iv), R: stream.from}
	}
	return stream.plain.Read(bytes)
}

func encrypted(stream io.ReadWriter, token string) (io.Reader, io.Writer, error) {
	block, err := aes.NewCipher(keyOf(token))
	if err != nil {
		return nil, nil, err
	}
	iv := make([]byte, block.BlockSize())
	if _, err := rand.Read(iv); err != nil {
		return nil, nil, err
	}
	if _, err := stream.Write(iv); err != nil {
		return nil, nil, err
	}
	writer := &cipher.StreamWriter{S: cipher.NewCFBEncrypter(block, iv), W: stream}
	return &decrypted{from: stream, block: block}, writer, nil
}

// Both directions, and both ends as soon as either is over.
func join(one io.ReadWriteCloser, other io.ReadWriteCloser) {
	var both sync.WaitGroup
	carry := func(to io.ReadWriteCloser, from io.ReadWriteCloser) {
		defer both.Done()
		defer to.Close()
		defer from.Close()
		io.Copy(to, from)
	}
	both.Add(2)
	go carry(one, other)
	go carry(other, one)
	both.Wait()
}

type buffered struct {
	io.Reader
	net.Conn
}

func (stream buffered) Read(bytes []byte) (int, error) { return stream.Reader.Read(bytes) }

func work(session *yamux.Session, own config, runID string) {
	stream, err := session.OpenStream()
	if err != nil {
		return
	}
	defer stream.Close()
	if send(stream, 'w', map[string]string{"run_id": runID}) != nil {
		return
	}
	kind, body, err := receive(stream)
	if err != nil || kind != 's' || (body["error"] != nil && body["error"] != "") {
		return
	}
	reader := bufio.NewReader(stream)
	request, err := http.ReadRequest(reader)
	if err != nil || request.Method != "CONNECT" {
		return
	}
	_, port, _ := net.SplitHostPort(request.Host)
	local, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", own.Ports[port]))
	if err != nil {
		io.WriteString(stream, "HTTP/1.1 400 Bad Request\r\n\r\n")
		return
	}
	io.WriteString(stream, "HTTP/1.1 200 OK\r\n\r\n")
	join(buffered{reader, stream}, local)
}

func run() error {
	var own config
	if err := json.Unmarshal([]byte(os.Args[1]), &own); err != nil {
		return err
	}
	socket, err := net.Dial("tcp", own.Server)
	if err != nil {
		return err
	}
	options := yamux.DefaultConfig()
	options.KeepAliveInterval = time.Second
	options.MaxStreamWindowSize = 6 * 1024 * 1024
	options.LogOutput = os.Stderr
	session, err := yamux.Client(socket, options)
	if err != nil {
		return err
	}
	control, err := session.OpenStream()
	if err != nil {
		return err
	}
	now := time.Now().Unix()
	proof := md5.Sum([]byte(fmt.Sprintf("%s%d", own.Token, now)))
	err = send(control, 'o', map[string]interface{}{
		"version": "0.62.1", "hostname": "wirenboard", "os": "linux", "arch": "arm", "user": own.User,
		"privilege_key": hex.EncodeToString(proof[:]), "timestamp": now, "run_id": "", "pool_count": 1,
	})
	if err != nil {
		return err
	}
	_, answer, err := receive(control)
	if err != nil {
		return err
	}
	if text, _ := answer["error"].(string); text != "" {
		return fmt.Errorf("refused: %s", text)
	}
	runID, _ := answer["run_id"].(string)
	reader, writer, err := encrypted(control, own.Token)
	if err != nil {
		return err
	}
	if err := send(writer, 'p', map[string]string{"proxy_name": own.User + "." + own.Proxy, "proxy_type": "tcp"}); err != nil {
		return err
	}
	for {
		kind, body, err := receive(reader)
		if err != nil {
			return err
		}
		switch kind {
		case '2':
			fmt.Println("proxy:", body["error"])
		case 'r':
			go work(session, own, runID)
		}
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Println("ended:", err)
		os.Exit(1)
	}
}
